import { z } from 'zod';
import { ownCalls } from '../../kernel/own-calls.ts';
import { momentOf } from '../../kernel/moment.ts';
import { toolsFor } from '../../kernel/tool.ts';
import type { EventPage, EventQuery, Store } from '../../store/store.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { gatewayFamily } from './gateway-tool.ts';

export const getEvents = toolsFor<{ store: Store }>(gatewayFamily)({
  name: 'get_events',
  title: 'Get events',
  description: 'Lists events: calls, servers starting and failing, configuration changes; newest first.',
  effect: 'read',
  phrases:
    'show the log; audit log; what happened in the gateway; who changed what; recent events and activity; follow a trace id; who added or removed a server; failed tool calls of the last hour; log of a server starting and crashing; who logged in; activity history of the gateway; when was the configuration changed; show me the logs; what was done and by whom; security log; timeline of what happened; events of a tool call; when did the server crash; find an event by text; what did this api key do; trace a request; latest errors in the event log; who deleted something; evidence of what a user did; what has the gateway been doing; history of logins and keys; recorded activity since noon; what was called recently; show tool calls with arguments; who touched the settings; protocol of actions; what errors were logged; what went on between two times; administrative changes; who did this and when; follow what happened to a request; show the journal; security incidents; recent failures of calls; find log entries; login attempts; activity by user',
  input: z.strictObject({
    trace_id: z.string().optional().describe('One call, across servers'),
    event_type: z.string().optional().describe('Like tool.call_failed, or tool.* for all of a kind'),
    status: z.enum(['success', 'failure', 'pending']).optional(),
    source: z.string().optional().describe('About this server or other source'),
    tool: z.string().optional().describe('A tool, by its full name'),
    principal: z.string().optional().describe('Who did it: the id of a key or user'),
    text: z.string().max(500).optional().describe('Text in the type or in a value'),
    audit: z.boolean().optional().describe('Only who changed what'),
    since: z.string().optional().describe('ISO time, or how long ago: 15m, 2h, 7d'),
    until: z.string().optional().describe('Like since'),
    limit: z.int().min(1).max(200).optional().describe('Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the answer before'),
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
  examples: [
    { title: 'What failed in the last hour', arguments: { status: 'failure', since: '1h' } },
    { title: 'Who changed what this week', arguments: { audit: true, since: '7d' } },
  ],
  async run({ trace_id, event_type, since, until, limit, ...rest }, { store }, { principal: caller }) {
    const own = ownCalls(caller);
    const query: EventQuery = {
      ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
      ...(trace_id !== undefined && { trace: trace_id }),
      ...(event_type !== undefined && { type: event_type }),
      ...(since !== undefined && { since: momentOf(since) }),
      ...(until !== undefined && { until: momentOf(until) }),
      ...(own && { own }),
    };
    const page = limit === undefined ? await fittingPage(store, query) : await store.events.query({ ...query, limit });
    const events = page.events.map(({ id: _, ...event }) => event);
    return { events, ...(page.cursor !== undefined && { cursor: page.cursor }) };
  },
});

const RECENT = 20;

/** The cursor points behind the last event of a page: if the page is too large, read a smaller one. */
async function fittingPage(store: Store, query: Omit<EventQuery, 'limit'>): Promise<EventPage> {
  for (let limit = RECENT; ; ) {
    const page = await store.events.query({ ...query, limit });
    const kept = fittingItems(page.events);
    if (kept === page.events.length) return page;
    limit = kept;
  }
}
