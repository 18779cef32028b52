import { fact, type FactOf } from '../kernel/facts.ts';
import type { EventLog } from '../kernel/events.ts';

/** Events about the connected n8n instances. */
export const n8nFacts = {
  'n8n.instance_failed': fact<{ instance: string; reason: string }>({
    status: 'failure',
    line: ({ instance, reason }) => `n8n ${instance} failed: ${reason}`,
  }),
  'n8n.instance_recovered': fact<{ instance: string; ms: number }>({
    line: ({ instance, ms }) => `n8n ${instance} recovered after ${Math.round(ms / 1000)} s`,
  }),
  'n8n.key_made': fact<{ instance: string }>({
    audit: true,
    line: ({ instance }) => `Made an API key in n8n ${instance}, as its owner`,
  }),
  'n8n.key_failed': fact<{ instance: string; reason: string }>({
    status: 'failure',
    line: ({ instance, reason }) => `Cannot make an API key in n8n ${instance}: ${reason}`,
  }),
  'n8n.local_failed': fact<{ instance: string; reason: string }>({
    status: 'failure',
    line: ({ instance, reason }) => `Restarting the local n8n ${instance}: ${reason}`,
  }),
  'n8n.backups_s3_failed': fact<{ place: string; reason: string; waiting: number }>({
    status: 'failure',
    line: ({ reason, waiting }) => `backups in S3 failed, ${waiting} waiting: ${reason}`,
  }),
  'n8n.backups_s3_recovered': fact<{ place: string; ms: number }>({
    line: ({ ms }) => `backups in S3 recovered after ${Math.round(ms / 1000)} s`,
  }),
};

export type N8nEvents = EventLog<FactOf<typeof n8nFacts>>;
