import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { momentOf } from '../kernel/moment.ts';
import type { EventQuery } from '../store/store.ts';

/** How events are asked for in text: in the query of a URL, or by the command line. */
export const eventParameters = z.strictObject({
  trace_id: z.string().optional().describe('All of one call, across servers'),
  event_type: z.string().optional().describe('Such as tool.call_failed, or tool.* for all of a kind'),
  status: z.enum(['success', 'failure', 'pending']).optional().describe('How it went'),
  source: z.string().optional().describe('The server, module or other source it is about'),
  tool: z.string().optional().describe('A tool, by its whole name'),
  principal: z.string().optional().describe('Who did it: a key or a user, by its id'),
  text: z.string().optional().describe('Occurs in the type or in a value'),
  audit: z.enum(['true', 'false']).optional().describe('Only who changed what'),
  since: z.string().optional().describe('An ISO time, or how long ago: 15m, 2h, 7d'),
  until: z.string().optional().describe('As since'),
  limit: z.coerce.number().int().min(1).max(1000).optional().describe('At most this many; 100 unless told'),
  order: z.enum(['asc', 'desc']).optional().describe('The newest first (desc), unless told'),
  cursor: z.string().optional().describe('From the answer before, with the same filters'),
});

export function askedEvents(given: Readonly<Record<string, unknown>>): EventQuery {
  const parsed = eventParameters.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the query'}: ${issue.message}`);
    throw new AppError('invalid_input', `Events were not read: ${problems.join('; ')}.`);
  }
  const { trace_id, event_type, audit, since, until, ...rest } = parsed.data;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(trace_id !== undefined && { trace: trace_id }),
    ...(event_type !== undefined && { type: event_type }),
    ...(audit === 'true' && { audit: true }),
    ...(since !== undefined && { since: momentOf(since) }),
    ...(until !== undefined && { until: momentOf(until) }),
  };
}
