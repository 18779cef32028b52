import { fact, type FactOf } from '../kernel/facts.ts';
import type { EventLog } from '../kernel/events.ts';

/** What happens to the n8n that are connected. */
export const n8nFacts = {
  'n8n.instance_failed': fact<{ instance: string; reason: string }>({
    status: 'failure',
    line: ({ instance, reason }) => `The n8n ${instance} does not work: ${reason}`,
  }),
  'n8n.instance_recovered': fact<{ instance: string; ms: number }>({
    line: ({ instance, ms }) => `The n8n ${instance} works again, after ${Math.round(ms / 1000)} s`,
  }),
  'n8n.local_failed': fact<{ instance: string; reason: string }>({
    status: 'failure',
    line: ({ instance, reason }) => `The local n8n ${instance} is started again: ${reason}`,
  }),
};

export type N8nEvents = EventLog<FactOf<typeof n8nFacts>>;
