import type { Route, RouteRequest } from '../../kernel/route.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import { tooMuch } from '../../kernel/too-much.ts';
import { isOpen } from '../runs/run.ts';
import { viewRun } from '../service/view.ts';
import { status } from '../tools/status.ts';
import type { RouteCall, RoutesDeps } from './call.ts';

/** Each stream keeps a connection open and looks at the run once a second. */
const MOST_STREAMS = 200;
const LOOK_MS = 1000;

/** GET /api/v1/blueprint-runs/{run}/events: the status of a run, sent again with each change. */
export function runEvents({ open, stopping }: RoutesDeps, call: RouteCall): Route {
  let streams = 0;
  return {
    path: '/api/v1/blueprint-runs/:run/events',
    scope: status.scope,
    get openapi() {
      return {
        operationId: 'blueprintRunEvents',
        summary: 'Follows a run',
        description:
          'Server-sent events: `status` with the status of the run, now and after each change, and `end` after the last. A new connection begins with the status as it is then.',
        tags: ['blueprints'],
        responses: {
          200: {
            description: 'The stream',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
          204: { description: 'The run has ended, and Last-Event-ID says that you have seen it' },
        },
      };
    },
    async handle(asked: RouteRequest) {
      const { request, principal, params } = asked;
      // The first look goes the way of every call, so it is judged, limited and recorded like one.
      const first = (await call(asked, status.name, { run: params.run ?? '' })) as unknown as OutputOf<typeof status>;
      const [{ runStream, LAST_ID }, { control, journal, watching, redact }] = await Promise.all([
        import('./run-stream.ts'),
        open(),
      ]);
      if (!isOpen(first.state) && request.headers.get('last-event-id') === LAST_ID)
        return new Response(null, { status: 204 });
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
      // A HEAD request would never read or end the stream.
      if (request.method === 'HEAD') return new Response(null, { headers });
      if (streams >= MOST_STREAMS) throw tooMuch(`${streams} streams of runs are open, which is the limit.`);
      streams++;
      const body = runStream({
        first,
        async view() {
          const run = await control.existing(first.run, principal);
          return viewRun(run, await journal.units(run.id), redact);
        },
        changed: (signal) => watching.next(first.run, LOOK_MS, signal),
        signal: AbortSignal.any([stopping, request.signal]),
        onEnd: () => streams--,
      });
      return new Response(body, { headers });
    },
  };
}
