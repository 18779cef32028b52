import { fact, type FactOf } from '../kernel/facts.ts';
import type { EventLog } from '../kernel/events.ts';

/** What the bridge does. */
export const bridgeFacts = {
  'bridge.applied': fact<{ instance: string; principal: string; generated: number; tools: number }>({ audit: true }),
  'bridge.removed': fact<{ instance: string; principal: string; workflows: number }>({ audit: true }),
  'bridge.discovery_failed': fact<{ instance: string; reason: string }>({
    status: 'failure',
    line: ({ instance, reason }) => `The bridge cannot look at the n8n ${instance}: ${reason}`,
  }),
  'bridge.discovery_recovered': fact<{ instance: string }>({
    line: ({ instance }) => `The bridge sees the n8n ${instance} again`,
  }),
  'bridge.workflows_changed': fact<{ instance: string; via: string; workflows: string[]; count: number }>({
    level: 'debug',
    line: ({ instance, count, via }) => `${count} workflows of the n8n ${instance} changed, as seen by ${via}`,
  }),
  'bridge.hook_refused': fact<{ instance: string; reason: string; times: number }>({
    status: 'failure',
    line: ({ instance, reason, times }) =>
      `A hook of the n8n ${instance} was refused${times > 1 ? ` (${times} times)` : ''}: ${reason}`,
  }),
  'bridge.file_rejected': fact<{ file: string; reason: string }>({
    status: 'failure',
    line: ({ file, reason }) => `${file} makes no sense and was passed over: ${reason}`,
  }),
  'bridge.file_accepted': fact<{ file: string; workflows: number }>({
    line: ({ file, workflows }) => `${file} tells of ${workflows} workflows of n8n`,
  }),
};

export type BridgeEvents = EventLog<FactOf<typeof bridgeFacts>>;
