import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { toolsFor } from '../../kernel/tool.ts';
import type { Store } from '../../store/store.ts';

export const getEvents = toolsFor<{ store: Store }>()({
  name: 'get_events',
  title: 'Get events',
  description:
    'What happened: calls, servers starting and failing, configuration changes; newest first. Filter by trace, type, status and time; "cursor" goes on.',
  effect: 'read',
  scope: 'health:check',
  category: 'gateway',
  input: z.strictObject({
    trace_id: z.string().optional(),
    event_type: z.string().optional().describe('Such as tool.call_failed, or tool.* for all of a kind'),
    status: z.enum(['success', 'failure', 'pending']).optional(),
    since: z.string().optional().describe('ISO time, or how long ago: 15m, 2h, 7d'),
    until: z.string().optional(),
    limit: z.int().min(1).max(200).default(20),
    cursor: z.string().optional(),
  }),
  output: z.object({
    events: z.array(
      z.object({
        timestamp: z.string(),
        trace_id: z.string(),
        event_type: z.string(),
        status: z.string(),
        data: z.record(z.string(), z.unknown()),
      }),
    ),
    cursor: z.string().optional(),
  }),
  examples: [{ title: 'What failed in the last hour', arguments: { status: 'failure', since: '1h' } }],
  async run({ trace_id, event_type, status, since, until, limit, cursor }, { store }) {
    const page = await store.events.query({
      limit,
      ...(trace_id !== undefined && { trace: trace_id }),
      ...(event_type !== undefined && { type: event_type }),
      ...(status !== undefined && { status }),
      ...(since !== undefined && { since: timeOf(since) }),
      ...(until !== undefined && { until: timeOf(until) }),
      ...(cursor !== undefined && { cursor }),
    });
    const events = page.events.map(({ id: _, ...event }) => event);
    return { events, ...(page.cursor !== undefined && { cursor: page.cursor }) };
  },
});

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function timeOf(text: string): Date {
  const ago = /^(\d+)([smhd])$/.exec(text);
  const time = ago ? new Date(Date.now() - Number(ago[1]) * (units[ago[2] as string] as number)) : new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new AppError('invalid_input', `${text} is no time: write an ISO time, or 15m, 2h, 7d.`);
  return time;
}
