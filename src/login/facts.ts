import { fact, type FactOf } from '../kernel/facts.ts';
import type { EventLog } from '../kernel/events.ts';

/** Facts about the logins at other servers. */
export const loginFacts = {
  'login.completed': fact<{ backend: string; issuer: string; principal: string }>({
    audit: true,
    line: ({ backend, issuer }) => `Signed in to ${backend} at ${issuer}`,
  }),
  'login.failed': fact<{ backend: string; issuer?: string; principal: string; reason: string }>({
    status: 'failure',
    audit: true,
    line: ({ backend, reason }) => `Sign-in to ${backend} failed: ${reason}`,
  }),
  'login.refreshed': fact<{ backend: string; issuer: string; principal: string }>({
    level: 'debug',
    line: ({ backend }) => `Renewed the sign-in to ${backend}`,
  }),
  'login.removed': fact<{ backend: string; principal: string }>({
    audit: true,
    line: ({ backend, principal }) => `${principal} signed out of ${backend}`,
  }),
};

export type LoginEvents = EventLog<FactOf<typeof loginFacts>>;
