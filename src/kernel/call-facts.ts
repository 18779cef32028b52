import { fact, type FactOf } from './facts.ts';
import type { EventLog } from './events.ts';

/** Facts about calls. */
export const callFacts = {
  'tool.call_received': fact<{ tool: string; source: string; principal: string; bytes?: number }>({
    status: 'pending',
    level: 'debug',
    line: ({ tool }) => `${tool} was called`,
  }),
  'tool.call_completed': fact<{ tool: string; source: string; principal: string; ms: number; bytes?: number } & Ran>({
    level: 'debug',
    line: ({ tool, ms }) => `${tool} answered after ${ms} ms`,
  }),
  'tool.call_unconfirmed': fact<{ tool: string; source: string; principal: string; ms: number }>({
    status: 'pending',
    level: 'debug',
    line: ({ tool }) => `${tool} waits for a confirmation`,
  }),
  'tool.call_failed': fact<
    { tool: string; source: string; principal: string; ms: number; reason: string; asked?: string } & Ran
  >({
    status: 'failure',
    line: ({ tool, reason, ms, asked }) =>
      asked === undefined ? `${tool} failed after ${ms} ms: ${reason}` : `Call of ${asked} failed: ${reason}`,
  }),
};

export type CallEvents = EventLog<FactOf<typeof callFacts>>;

/** The n8n execution that the call started, if n8n names it. */
type Ran = { execution?: string };
