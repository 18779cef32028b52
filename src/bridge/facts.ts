import { fact, type FactOf } from '../kernel/facts.ts';
import { sentences } from '../kernel/nearest-names.ts';
import { counted } from '../kernel/some-of.ts';
import type { EventLog } from '../kernel/events.ts';

/** Events of the bridge. */
export const bridgeFacts = {
  'bridge.applied': fact<{ instance: string; principal: string; generated: number; tools: number }>({ audit: true }),
  'bridge.removed': fact<{ instance: string; principal: string; workflows: number }>({ audit: true }),
  'bridge.discovery_failed': fact<{ instance: string; reason: string }>({
    status: 'failure',
    line: ({ instance, reason }) => `The bridge cannot scan the n8n ${instance}: ${reason}`,
  }),
  'bridge.discovery_recovered': fact<{ instance: string }>({
    line: ({ instance }) => `The bridge can scan the n8n ${instance} again`,
  }),
  'bridge.workflows_changed': fact<{ instance: string; via: string; workflows: string[]; count: number }>({
    level: 'debug',
    line: ({ instance, count, via }) => `${count} workflows of the n8n ${instance} changed (noticed by ${via})`,
  }),
  'bridge.hook_refused': fact<{ instance: string; reason: string; times: number }>({
    status: 'failure',
    line: ({ instance, reason, times }) =>
      `A hook of the n8n ${instance} was refused${times > 1 ? ` (${times} times)` : ''}: ${reason}`,
  }),
  'bridge.file_rejected': fact<{ file: string; reason: string }>({
    status: 'failure',
    line: ({ file, reason }) => `${file} is invalid and was ignored: ${reason}`,
  }),
  /** `lacks` is what is missing before its tools can be used. */
  'bridge.file_accepted': fact<{ file: string; workflows: number; tools: number; lacks?: string }>({
    level: ({ lacks }) => (lacks === undefined ? 'info' : 'warn'),
    line: ({ file, tools, lacks }) =>
      sentences(
        `${file} names ${counted(tools, 'AI tool')} of n8n.`,
        lacks === undefined ? '' : `They cannot be used yet: ${lacks}`,
      ),
  }),
};

export type BridgeEvents = EventLog<FactOf<typeof bridgeFacts>>;
