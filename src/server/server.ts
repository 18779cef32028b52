import type { IncomingMessage, ServerResponse } from 'node:http';
import { tooMuch, TRY_AGAIN_S } from '../kernel/too-much.ts';
import { createAllowances, defaultLimits, type LimitReached } from '../wire/allowance.ts';
import { createExpiries } from '../wire/expiries.ts';
import { createHttpEndpoint, gatewayStops } from '../wire/http.ts';
import type { HttpPeers } from '../wire/http-peers.ts';
import { sizeOf } from '../wire/http-inbound.ts';
import type { Service } from '../wire/service.ts';
import type { Admission } from './admission.ts';
import { BODY_LIMIT } from './body-limit.ts';
import { latePages } from './late-pages.ts';
import type { PagesOptions } from './pages.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { assertNotOpen, type Listening, listenAt } from './listening.ts';
import { createMinuteReport } from './minute-report.ts';
import { createOpenStreams } from './session/open-streams.ts';

export interface ServerOptions extends Omit<PagesOptions, 'identify' | 'addressOf' | 'sessions' | 'stopping'> {
  service: Service;
  /** The other replicas, if there may be some. */
  peers?: HttpPeers | undefined;
  /** Whether new requests are refused, because the gateway is about to stop. */
  closing?(): boolean;
  guard: GuardOptions;
  /** The port to listen on, or a port that is already bound. */
  port: number | Listening;
  /** How long a request may take to arrive completely; default one minute. */
  arrivalMs?: number;
  /** Serves requests for its own paths (sign-in pages and their metadata) after they passed the gate. */
  extra?(request: IncomingMessage, response: ServerResponse): boolean;
}

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  sessions(): number;
  /** Ends everything these principals have open: their keys no longer work. */
  dismiss(principals: ReadonlySet<string>): void;
}

/** How many pairs of caller and limit to distinguish in a minute. */
const MOST_LIMITED = 1000;

/** The HTTP server: MCP with our own wire code; everything else is small pages and JSON. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, open } = options.guard.settings();
  assertNotOpen(host, open || options.guard.authenticators().length === 0);
  const guard = createGuard(options.guard);
  const report = createMinuteReport<Parameters<LimitReached>[0]>({
    most: MOST_LIMITED,
    tell: options.guard.limited ?? (() => {}),
  });
  const allowances = createAllowances({
    limits: () => options.guard.settings().limits ?? defaultLimits,
    reached: (fact) => report.add(`${fact.limit} ${fact.principal}`, () => fact),
  });
  const expiries = createExpiries();
  const streams = createOpenStreams(guard.holds);
  const endpoint = createHttpEndpoint({
    service: options.service,
    peers: options.peers,
    ...(options.closing && { closing: options.closing }),
    allowances,
    admit: guard.admit,
    charge: guard.charge,
    ...(options.insufficient && { insufficient: options.insufficient }),
  });
  const stopping = new AbortController();
  const rest = latePages(async () => {
    const [{ createPages }, sessions] = await Promise.all([import('./pages.ts'), options.guard.sessions?.load()]);
    return createPages({ ...options, identify, addressOf: guard.addressOf, sessions, stopping: stopping.signal });
  });
  /** The principal of each open response, to end it when they are dismissed: a response may be an endless stream. */
  const answered = new Map<ServerResponse, string>();
  function answer(request: IncomingMessage, response: ServerResponse): void {
    // Let clients connect anew, to another replica, before this one is gone.
    if (options.unready?.() === 'stopping') response.setHeader('connection', 'close');
    if (endpoint.handle(request, response)) return;
    if (!guard.pass(request, response) || options.extra?.(request, response)) return;
    // Texts in answers are from anywhere: no browser may take them for a page or a script.
    response.setHeader('x-content-type-options', 'nosniff');
    response.once('close', () => answered.delete(response));
    void rest(request, response);
  }
  async function identify(request: IncomingMessage, response: ServerResponse): Promise<Admission> {
    const admission = await guard.identify(request);
    if ('refusal' in admission || response.closed) return admission;
    const { principal } = admission;
    const allowance = allowances.of(principal.id);
    const bytes = Math.min(BODY_LIMIT, sizeOf(request) ?? 0);
    const most = allowances.limits().requests;
    if (!allowance.take(bytes, most)) {
      allowance.refused('requests');
      const { message } = tooMuch(allowance.takenText(most));
      return { refusal: { status: 429, message, headers: { 'retry-after': String(TRY_AGAIN_S) } } };
    }
    answered.set(response, principal.id);
    const open = { expires: principal.expires ?? Number.POSITIVE_INFINITY, end: () => void response.destroy() };
    // A call in flight may still be answered after expiry. A stream would continue forever.
    const isStream = request.headers.accept?.includes('text/event-stream') ?? false;
    if (isStream && Number.isFinite(open.expires)) expiries.add(open);
    if (isStream && admission.isBrowser) streams.add(request, response);
    response.once('prefinish', () => allowance.unread.wrote(response));
    response.once('close', () => {
      allowance.release(bytes);
      expiries.remove(open);
    });
    return admission;
  }

  const { port } = options;
  const listening = typeof port === 'number' ? await listenAt(host, port, options.arrivalMs) : port;
  listening.serve(answer, endpoint.upgrade);
  return {
    url: listening.url,
    sessions: () => endpoint.sessions(),
    dismiss(principals) {
      endpoint.dismiss(principals);
      for (const [response, principal] of answered) if (principals.has(principal)) response.destroy();
    },
    async [Symbol.asyncDispose]() {
      guard[Symbol.dispose]();
      report[Symbol.dispose]();
      expiries[Symbol.dispose]();
      streams[Symbol.dispose]();
      await listening.close(async () => {
        stopping.abort(gatewayStops());
        await endpoint[Symbol.asyncDispose]();
      });
    },
  };
}
