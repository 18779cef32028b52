import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { toolsFor } from '../../kernel/tool.ts';
import type { EventPage, EventQuery, Store } from '../../store/store.ts';
import { fittingItems } from '../reply-size.ts';

export const getEvents = toolsFor<{ store: Store }>()({
  name: 'get_events',
  title: 'Get events',
  description:
    'What happened: calls, servers starting and failing, configuration changes; newest first. Filter by trace, type, status and time; "cursor" goes on.',
  effect: 'read',
  scope: 'health:check',
  category: 'gateway',
  input: z.strictObject({
    trace_id: z.string().optional().describe('All of one call, across servers'),
    event_type: z.string().optional().describe('Such as tool.call_failed, or tool.* for all of a kind'),
    status: z.enum(['success', 'failure', 'pending']).optional(),
    since: z.string().optional().describe('ISO time, or how long ago: 15m, 2h, 7d'),
    until: z.string().optional().describe('As since'),
    limit: z.int().min(1).max(200).optional().describe('At most this many; without it, what fits into 8 KB'),
    cursor: z.string().optional().describe('From the answer before, with the same filters'),
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
    const query = {
      ...(trace_id !== undefined && { trace: trace_id }),
      ...(event_type !== undefined && { type: event_type }),
      ...(status !== undefined && { status }),
      ...(since !== undefined && { since: timeOf(since) }),
      ...(until !== undefined && { until: timeOf(until) }),
      ...(cursor !== undefined && { cursor }),
    };
    const page = limit === undefined ? await fittingPage(store, query) : await store.events.query({ ...query, limit });
    const events = page.events.map(({ id: _, ...event }) => event);
    return { events, ...(page.cursor !== undefined && { cursor: page.cursor }) };
  },
});

const RECENT = 20;

/** The cursor belongs to the last event of a page, so a page that is too large is read anew. */
async function fittingPage(store: Store, query: Omit<EventQuery, 'limit'>): Promise<EventPage> {
  for (let limit = RECENT; ; ) {
    const page = await store.events.query({ ...query, limit });
    const kept = fittingItems(page.events);
    if (kept === page.events.length) return page;
    limit = kept;
  }
}

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function timeOf(text: string): Date {
  const ago = /^(\d+)([smhd])$/.exec(text);
  const time = ago ? new Date(Date.now() - Number(ago[1]) * (units[ago[2] as string] as number)) : new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new AppError('invalid_input', `${text} is no time: write an ISO time, or 15m, 2h, 7d.`);
  return time;
}
