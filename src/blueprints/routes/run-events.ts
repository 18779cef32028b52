import { AppError } from '../../kernel/errors.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import { tooMuch } from '../../kernel/too-much.ts';
import { isOpen } from '../runs/run.ts';
import type { RunView } from '../service/run-view.ts';
import { viewRun } from '../service/view.ts';
import type { status } from '../tools/status.ts';
import type { RouteCall, RoutesDeps } from './call.ts';
import { LAST_ID, runStream } from './run-stream.ts';

/** Each stream keeps a connection open. */
const MOST_STREAMS = 200;
/** Per caller, so that one caller cannot use up all streams. */
const MOST_OWN_STREAMS = 100;
/** Another replica may carry the run out, so it is read again from time to time. */
const LOOK_MS = 1000;

/** Answers with a stream of the status of a run. */
export function runEvents({ open, stopping }: Pick<RoutesDeps, 'open' | 'stopping'>, call: RouteCall) {
  let streams = 0;
  const looks = createLooks(open, stopping);
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
      view: () => looks.at(first.run),
      changed: () => looks.changed(first.run),
      signal: AbortSignal.any([stopping, request.signal]),
      onEnd: () => count(principal.id, -1),
    });
    return new Response(body, { headers });
  };
}

/** Everybody who follows a run sees the same, so it is read once for all of them: many followers cost as much as one. */
function createLooks(open: RoutesDeps['open'], stopping: AbortSignal) {
  const looking = new Map<string, Promise<RunView>>();
  const waiting = new Map<string, Promise<void>>();

  function shared<T>(all: Map<string, Promise<T>>, run: string, begin: () => Promise<T>): Promise<T> {
    const begun = all.get(run) ?? begin().finally(() => all.delete(run));
    all.set(run, begun);
    return begun;
  }

  async function look(id: string): Promise<RunView> {
    const { journal, redact } = await open();
    const run = await journal.get(id);
    if (!run) throw new AppError('not_found', `The run ${id} is not kept any more.`);
    return viewRun(run, await journal.timeline(id), redact);
  }

  return {
    at: (run: string) => shared(looking, run, () => look(run)),
    changed: (run: string) => shared(waiting, run, async () => (await open()).watching.next(run, LOOK_MS, stopping)),
  };
}
