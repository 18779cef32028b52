import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { momentOf } from '../kernel/moment.ts';
import type { EventQuery } from '../store/store.ts';

/** The event filters as text, for a URL's query and for the command line. */
export const eventParameters = z.strictObject({
  trace_id: z.string().optional().describe('Everything one call caused, across servers'),
  event_type: z.string().optional().describe('For example tool.call_failed; tool.* matches a whole kind'),
  status: z.enum(['success', 'failure', 'pending']).optional().describe('Outcome'),
  source: z.string().optional().describe('The server, module or other source of the event'),
  tool: z.string().optional().describe('Full name of a tool'),
  principal: z.string().optional().describe('Id of the key or user that caused it'),
  text: z.string().optional().describe('Text to find in the type or in a value'),
  audit: z.enum(['true', 'false']).optional().describe('true: only the audit trail (who changed what)'),
  since: z.string().optional().describe('An ISO time, or how long ago: 15m, 2h, 7d'),
  until: z.string().optional().describe('Same format as since'),
  limit: z.coerce.number().int().min(1).max(1000).optional().describe('Most events to return; default 100'),
  order: z.enum(['asc', 'desc']).optional().describe('Default desc: newest first'),
  cursor: z.string().optional().describe('Cursor of the previous page; keep the filters the same'),
});

export function askedEvents(given: Readonly<Record<string, unknown>>): EventQuery {
  const parsed = eventParameters.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'query'}: ${issue.message}`);
    throw new AppError('invalid_input', `Cannot read events: ${problems.join('; ')}.`);
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
