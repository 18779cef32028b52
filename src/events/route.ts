import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { ownCalls } from '../kernel/own-calls.ts';
import type { Route } from '../kernel/route.ts';
import type { Principal } from '../kernel/principal.ts';
import { tooMuch } from '../kernel/too-much.ts';
import type { EventFilter, Events } from '../store/store.ts';
import { askedEvents, eventParameters } from './asked-events.ts';
import type { FollowDeps } from './follow.ts';

const event = z.object({
  id: z.number().describe('Higher for newer events'),
  timestamp: z.string(),
  trace_id: z.string(),
  event_type: z.string(),
  status: z.enum(['success', 'failure', 'pending']),
  data: z.record(z.string(), z.unknown()),
});

const page = z.object({
  events: z.array(event),
  cursor: z.string().optional().describe('Present if there are more events'),
});

export interface EventsRouteDeps extends FollowDeps {
  readonly store: { readonly events: Pick<Events, 'query' | 'follow' | 'span'> };
  /** Aborted when the gateway stops, so that open streams do not delay it. */
  readonly closing: AbortSignal;
}

/** Each stream keeps a connection open and queries the store whenever something happens. */
const MOST_STREAMS = 200;
/** Per caller, so that one caller cannot use up all streams. */
const MOST_OWN_STREAMS = 100;

/** GET /api/v1/events: a page of events, or live events for clients that accept text/event-stream. */
export function eventsRoute(deps: EventsRouteDeps): Route {
  let streams = 0;
  const byPrincipal = new Map<string, number>();

  function count(principal: string, more: 1 | -1): void {
    streams += more;
    const own = (byPrincipal.get(principal) ?? 0) + more;
    if (own > 0) byPrincipal.set(principal, own);
    else byPrincipal.delete(principal);
  }

  async function live(request: Request, filter: EventFilter, { id }: Principal): Promise<Response> {
    const own = byPrincipal.get(id) ?? 0;
    if (own >= MOST_OWN_STREAMS || streams >= MOST_STREAMS) {
      const whose = own >= MOST_OWN_STREAMS ? `${own} of your streams` : `${streams} streams`;
      throw tooMuch(`${whose} of events are open, which is the limit. Close some.`);
    }
    const after = positionOf(request.headers.get('last-event-id'));
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
    // A HEAD request would never read or end the stream.
    if (request.method === 'HEAD') return new Response(null, { headers });
    count(id, 1);
    const { eventStream } = await import('./event-stream.ts');
    // A client that hangs up before the first byte never cancels the stream: end it with the request.
    const ending = AbortSignal.any([deps.closing, request.signal]);
    const body = eventStream(deps, filter, after, ending, { onEnd: () => count(id, -1) });
    return new Response(body, { headers });
  }

  return {
    path: '/api/v1/events',
    scope: 'health:check',
    get openapi() {
      return {
        operationId: 'events',
        summary: 'Recorded events, or a live stream of them',
        description:
          'With `Accept: text/event-stream` you get events as they happen; `Last-Event-ID` resumes an ended stream.',
        tags: ['events'],
        parameters: openapiParameters(),
        responses: {
          200: {
            description: 'Events',
            content: {
              'application/json': { schema: pageSchema() },
              'text/event-stream': { schema: { type: 'string' } },
            },
          },
        },
      };
    },
    async handle({ request, principal }) {
      const own = ownCalls(principal);
      const asked = askedEvents(Object.fromEntries(new URL(request.url).searchParams));
      const query = own ? { ...asked, own } : asked;
      if (request.headers.get('accept')?.includes('text/event-stream')) {
        const { limit: _, order: __, cursor: ___, ...filter } = query;
        return live(request, filter, principal);
      }
      const answer = await deps.store.events.query(query);
      return Response.json(answer, { headers: { 'cache-control': 'no-store' } });
    },
  };
}

/** GET /api/v1/events/ID: one event, whole. */
export function eventRoute({ store }: Pick<EventsRouteDeps, 'store'>): Route {
  return {
    path: '/api/v1/events/:id',
    scope: 'health:check',
    async openapi() {
      const { answered } = await import('../kernel/described.ts');
      return {
        operationId: 'event',
        summary: 'One recorded event',
        tags: ['events'],
        responses: answered(event),
      };
    },
    async handle({ params: { id = '' }, principal }) {
      if (!/^[1-9]\d{0,14}$/.test(id))
        throw new AppError('invalid_input', 'The id of an event is a whole number, as /api/v1/events shows it.');
      const own = ownCalls(principal);
      const { events } = await store.events.follow(own ? { own } : {}, Number(id) - 1, 1);
      const [found] = events;
      if (found?.id !== Number(id))
        throw new AppError('not_found', `No event ${id}: it is older than the events that are kept, or never was.`);
      return Response.json(found, { headers: { 'cache-control': 'no-store' } });
    },
  };
}

function pageSchema() {
  const { $schema: _, ...schema } = z.toJSONSchema(page, { io: 'output' });
  return schema;
}

function positionOf(header: string | null): number | undefined {
  if (header === null || header === '') return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new AppError('invalid_input', 'Last-Event-ID must be the id of an event: a whole number.');
}

function openapiParameters() {
  const { properties = {} } = z.toJSONSchema(eventParameters, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...type } = schema as { description?: string };
    return { name, in: 'query', required: false, description, schema: type };
  });
}
