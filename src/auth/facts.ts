import { fact, type FactOf } from '../kernel/facts.ts';
import type { EventLog } from '../kernel/events.ts';

/** Facts about keys, refused requests and limits. */
export const authFacts = {
  'key.created': fact<{ key: string; name: string; scopes: string[]; principal: string }>({
    audit: true,
    line: ({ name, principal }) => `${principal} created the key ${name}`,
  }),
  'key.revoked': fact<{ key: string; name: string; principal: string }>({
    audit: true,
    line: ({ name, principal }) => `${principal} revoked the key ${name}`,
  }),
  'client.revoked': fact<{ client: string; name: string; principal: string }>({
    audit: true,
    line: ({ name, principal }) => `${principal} revoked the access of ${name}`,
  }),
  'auth.refused': fact<{ address: string; reason: string; times: number }>({
    status: 'failure',
    line: ({ address, reason, times }) => `Refused ${address}${times > 1 ? ` ${times} times` : ''}: ${reason}`,
  }),
  'gateway.limit_reached': fact<{ limit: string; principal: string; times: number }>({
    status: 'failure',
    line: ({ limit, principal, times }) =>
      `${principal} hit a limit${times > 1 ? ` ${times} more times` : ''}: ${limit}`,
  }),
};

export type AuthEvents = EventLog<FactOf<typeof authFacts>>;
