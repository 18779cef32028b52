import { fact, type FactOf } from './facts.ts';
import type { EventLog } from './events.ts';

/** What happens to every call. */
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
  'tool.call_failed': fact<
    { tool: string; source: string; principal: string; ms: number; reason: string; asked?: string } & Ran
  >({
    status: 'failure',
    line: ({ tool, reason, ms, asked }) =>
      asked === undefined ? `${tool} failed after ${ms} ms: ${reason}` : `The tool ${asked} was called: ${reason}`,
  }),
};

export type CallEvents = EventLog<FactOf<typeof callFacts>>;

/** The execution in n8n that a call began, where n8n says which. */
type Ran = { execution?: string };
