import type { RouteRequest } from '../../kernel/route.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import { tooMuch } from '../../kernel/too-much.ts';
import { isOpen } from '../runs/run.ts';
import { viewRun } from '../service/view.ts';
import type { status } from '../tools/status.ts';
import type { RouteCall, RoutesDeps } from './call.ts';
import { LAST_ID, runStream } from './run-stream.ts';

/** Each stream keeps a connection open and looks at the run once a second. */
const MOST_STREAMS = 200;
/** Per caller, so that one caller cannot use up all streams. */
const MOST_OWN_STREAMS = 100;
const LOOK_MS = 1000;

/** Answers with a stream of the status of a run. */
export function runEvents({ open, stopping }: Pick<RoutesDeps, 'open' | 'stopping'>, call: RouteCall) {
  let streams = 0;
  const byPrincipal = new Map<string, number>();

  function count(principal: string, more: 1 | -1): void {
    streams += more;
    const own = (byPrincipal.get(principal) ?? 0) + more;
    if (own > 0) byPrincipal.set(principal, own);
    else byPrincipal.delete(principal);
  }

  return async (asked: RouteRequest): Promise<Response> => {
    const { request, principal, params } = asked;
    // The first look goes the way of every call, so it is judged, limited and recorded like one.
    const first = (await call(asked, 'blueprint_status', { run: params.run ?? '' })) as unknown as OutputOf<
      typeof status
    >;
    const { control, journal, watching, redact } = await open();
    if (!isOpen(first.state) && request.headers.get('last-event-id') === LAST_ID)
      return new Response(null, { status: 204 });
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
    // A HEAD request would never read or end the stream.
    if (request.method === 'HEAD') return new Response(null, { headers });
    const own = byPrincipal.get(principal.id) ?? 0;
    if (own >= MOST_OWN_STREAMS || streams >= MOST_STREAMS) {
      const whose = own >= MOST_OWN_STREAMS ? `${own} of your streams` : `${streams} streams`;
      throw tooMuch(`${whose} of runs are open, which is the limit. Close some.`);
    }
    count(principal.id, 1);
    const body = runStream({
      first,
      async view() {
        const run = await control.existing(first.run, principal);
        return viewRun(run, await journal.units(run.id), redact);
      },
      changed: (signal) => watching.next(first.run, LOOK_MS, signal),
      signal: AbortSignal.any([stopping, request.signal]),
      onEnd: () => count(principal.id, -1),
    });
    return new Response(body, { headers });
  };
}
