import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, toAppError } from '../kernel/errors.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Exposure, RpcError } from '../kernel/source.ts';
import { type Allowances, createAllowances, MOST_IN_BATCH } from './allowance.ts';
import { createExpiries } from './expiries.ts';
import { createDueReplies, header, type Inbound, readBoth, refuse, refuseMore, sizeOf } from './http-inbound.ts';
import { createModernFront } from './http-modern.ts';
import type { HttpPeers } from './http-peers.ts';
import { createSessionFront, sessionNotFound } from './http-sessions.ts';
import { createSseFront, streamNotFound } from './http-sse.ts';
import { asMessage, code, type Id, idIn, isNotification, isRequest, isResponse, type Message } from './jsonrpc.ts';
import { claimsModern, headerNamesModern } from './modern.ts';
import type { Service, View } from './service.ts';
import { MODERN } from './versions.ts';
import type { WebSocketFront } from './websocket.ts';

export interface HttpOptions {
  service: Service;
  /** Identifies the caller before anything is read. If refused, answers the request and returns undefined. */
  admit(request: IncomingMessage, response: ServerResponse): Principal | undefined | Promise<Principal | undefined>;
  /** Counts the messages of a request beyond the first. Returns the seconds to wait if there are too many. */
  charge?(principal: Principal, messages: number): number | undefined | Promise<number | undefined>;
  /** The WWW-Authenticate header for a caller who can come back with a missing scope. */
  insufficient?(request: IncomingMessage, scope: string): string;
  /** The other replicas, if there may be some: requests for their sessions are forwarded to them. */
  peers?: HttpPeers | undefined;
  /** Whether new requests are refused, because the gateway is about to stop. */
  closing?(): boolean;
  /** What each caller has open; pass it if others count there too. */
  allowances?: Allowances;
  bodyLimit?: number;
  sessionIdleMs?: number;
  keepAliveMs?: number;
}

export interface HttpEndpoint extends AsyncDisposable {
  /** Serves the request if its path belongs to MCP. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Serves a request whose path is for WebSocket and that asks for it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  sessions(): number;
  /** Ends the sessions and streams of these principals. */
  dismiss(principals: ReadonlySet<string>): void;
}

const STOP_MS = 1000;
/** About how long a gateway takes to stop and start again. */
const RESTART_S = 5;
const MOST_DISMISSED = 10_000;
const DISMISSED = 'The key of this session no longer works.';

/** MCP over HTTP: Streamable HTTP of every era on one URL, and the legacy pair of SSE stream and message URL. */
export function createHttpEndpoint(options: HttpOptions): HttpEndpoint {
  const { service, bodyLimit = 16 * 1024 * 1024, sessionIdleMs = 30 * 60_000, keepAliveMs = 15_000 } = options;
  const { allowances = createAllowances(), peers } = options;
  const { limits } = allowances;
  const due = createDueReplies();
  const expiries = createExpiries();
  const modern = createModernFront(service, due, { limits, expiries });
  const newId = peers ? peers.newId : () => randomUUID();
  const sessions = createSessionFront(service, due, { limits, expiries, newId });
  const sse = createSseFront(service, { isTooMuch, limits, expiries, newId });
  let sockets: WebSocketFront | undefined;
  let dismissals = 0;
  /** Number of the last dismissal of each principal. */
  const dismissed = new Map<string, number>();

  const keepAlive = setInterval(() => {
    due.keepAlive(keepAliveMs);
    for (const front of [modern, sessions, sse]) front.keepAlive();
    sockets?.keepAlive();
    sessions.reap(sessionIdleMs);
  }, keepAliveMs);
  keepAlive.unref();

  async function post(arrived: Inbound): Promise<void> {
    const { request, response } = arrived;
    const before = dismissals;
    const read = await readBoth(arrived, bodyLimit);
    if (!read) return;
    const { message: body } = read;
    const passOn = { limit: bodyLimit, body: read.body };
    const inbound: Inbound =
      peers && !Array.isArray(body)
        ? { ...arrived, forward: (owner) => peers.forward(arrived, owner, { ...passOn, withoutSession: true }) }
        : arrived;
    // A body may take long to arrive: the caller may have been dismissed since it was admitted.
    if (dismissals > before && (dismissed.get(inbound.principal.id) ?? 0) > before)
      return refuse(response, 401, { code: code.server, message: DISMISSED });
    if (Array.isArray(body)) return postBatch(body, inbound);
    const message = asMessage(body);
    if ('invalid' in message) {
      const error = { code: code.invalidRequest, message: `Invalid request: ${message.invalid}.` };
      return refuse(response, 400, error, idIn(body));
    }
    if (isRequest(message) && message.method === 'initialize' && header(request, 'mcp-session-id') === undefined) {
      const successor = peers?.successor(request);
      if (successor !== undefined && (await peers?.forward(inbound, successor, passOn))) return;
    }
    // What belongs to requests in flight still gets through: answers to their questions, and cancellations.
    if (options.closing?.() && isRequest(message) && !answeredAtOnce.has(message.method))
      return refuseClosing(response, message.id);
    const claims = !isResponse(message) && (claimsModern(message.params) || headerNamesModern(request.headers));
    if (claims && isRequest(message)) {
      const owner = peers?.ownerOf(message.params?.requestState);
      if (owner !== undefined && (await peers?.forward(inbound, owner, passOn))) return;
      return modern.post(message, inbound);
    }
    if (claims && isNotification(message)) return void response.writeHead(202).end();
    return sessions.post([message], false, inbound);
  }

  function postBatch(body: { params?: unknown }[], inbound: Inbound): Promise<void> | void {
    const messages = body.map(asMessage);
    const invalid = messages.find((message) => 'invalid' in message);
    if (messages.length === 0 || invalid || body.some((message) => claimsModern(message?.params))) {
      const why = invalid && 'invalid' in invalid ? invalid.invalid : `an empty batch, or one with ${MODERN} requests`;
      return refuse(inbound.response, 400, { code: code.invalidRequest, message: `Invalid batch: ${why}.` });
    }
    const post = (tooMuch: boolean) => (tooMuch ? undefined : sessions.post(messages as Message[], true, inbound));
    const tooMuch = isTooMuch(messages.length, inbound);
    return tooMuch instanceof Promise ? tooMuch.then(post) : post(tooMuch);
  }

  /** Counts every message of a batch, or batches would bypass rate limits. Returns whether the request was answered. */
  function isTooMuch(messages: number, inbound: Inbound): boolean | Promise<boolean> {
    const { response, principal } = inbound;
    const most = Math.min(MOST_IN_BATCH, limits().requests);
    if (messages > most) {
      refuse(response, 400, { code: code.invalidRequest, message: `A batch may contain at most ${most} messages.` });
      return true;
    }
    const seconds = messages > 1 ? options.charge?.(principal, messages - 1) : undefined;
    return seconds instanceof Promise
      ? seconds.then((late) => isRefused(late, response))
      : isRefused(seconds, response);
  }

  function isRefused(seconds: number | undefined, response: ServerResponse): boolean {
    if (seconds === undefined) return false;
    response.setHeader('retry-after', String(seconds));
    refuse(response, 429, { code: code.server, message: `Too many requests: try again in ${seconds} s.` });
    return true;
  }

  function get(path: string, inbound: Inbound): void {
    const { request, response } = inbound;
    if (header(request, 'mcp-session-id') !== undefined) return sessions.stream(inbound);
    if (headerNamesModern(request.headers)) {
      return notAllowed(response, 'POST', `${MODERN} has no GET stream: use subscriptions/listen.`);
    }
    const wantsStream = request.headers.accept?.includes('text/event-stream') ?? false;
    const named = header(request, 'mcp-protocol-version') !== undefined;
    if (path === '/sse' || (wantsStream && !named)) return sse.open(inbound);
    if (wantsStream) {
      const message = 'Missing session: initialize first and send Mcp-Session-Id.';
      return refuse(response, 400, { code: code.server, message });
    }
    const how = 'This is an MCP endpoint: POST JSON-RPC to it, or GET it with Accept: text/event-stream.';
    return notAllowed(response, 'POST, GET, DELETE', how);
  }

  /** Loads the library on the first request for it. */
  async function webSockets(): Promise<WebSocketFront> {
    const { createWebSocketFront } = await import('./websocket.ts');
    sockets ??= createWebSocketFront(service, { limits, expiries, bodyLimit, charge: options.charge });
    return sockets;
  }

  function remove(inbound: Inbound): void {
    const { request, response } = inbound;
    if (header(request, 'mcp-session-id') !== undefined) return sessions.delete(inbound);
    if (headerNamesModern(request.headers)) return notAllowed(response, 'POST', `${MODERN} has no sessions to end.`);
    return refuse(response, 400, { code: code.server, message: 'Missing session: send Mcp-Session-Id.' });
  }

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: URLSearchParams,
    upgrade?: Inbound['upgrade'],
  ): Promise<void> {
    const admitted = options.admit(request, response);
    const principal = admitted instanceof Promise ? await admitted : admitted;
    // If the client hung up while the token was checked, 'close' was emitted already and it would be counted forever.
    if (!principal || response.closed) return;
    const allowance = allowances.of(principal.id);
    const taken = { bytes: Math.min(bodyLimit, sizeOf(request) ?? 0) };
    const isAsSent = (body: Buffer) => peers?.isAsRead(request, body) ?? true;
    const inbound = { request, response, principal, allowance, taken, upgrade, isAsSent, view: wholeView };
    const most = limits().requests;
    if (!allowance.take(taken.bytes, most)) {
      response.setHeader('connection', 'close');
      return refuseMore(inbound, 'requests', allowance.takenText(most));
    }
    try {
      await answer(inbound, path, query);
    } finally {
      allowance.release(taken.bytes);
    }
  }

  /** Answers a request for a session of another replica: lets that one answer, or says that the session is gone. */
  async function elsewhere(inbound: Inbound, owner: string, gone: RpcError): Promise<void> {
    if (await peers?.forward(inbound, owner, { limit: bodyLimit })) return;
    inbound.request.resume();
    refuse(inbound.response, 404, gone);
  }

  async function answer(plain: Inbound, path: string, query: URLSearchParams): Promise<void> {
    const { request, response, principal } = plain;
    if (path === '/message' || path === '/messages') {
      if (request.method !== 'POST') return notAllowed(response, 'POST', 'POST messages here.');
      const session = query.get('sessionId');
      const owner = peers?.ownerOf(session);
      if (owner !== undefined) return elsewhere(plain, owner, streamNotFound);
      return sse.post(plain, session, bodyLimit);
    }
    const view = viewOf(path, query);
    if (!view) return refuseView(response, `Unknown exposure ${query.get('expose')}: use flat, compact or search.`);
    const problem = service.viewProblem(view);
    if (problem !== undefined) return refuseView(response, problem);
    if (isSocketPath(path)) return plain.upgrade ? plain.upgrade({ ...plain, view }) : upgradeRequired(response);
    const owner = peers?.ownerOf(header(request, 'mcp-session-id'));
    if (owner !== undefined && !headerNamesModern(request.headers)) return elsewhere(plain, owner, sessionNotFound);
    const challenge = principal.stepUp && options.insufficient;
    const inbound: Inbound = {
      ...plain,
      view,
      ...(challenge && { challenge: (scope: string) => challenge(request, scope) }),
    };
    if (request.method === 'POST') return post(inbound);
    if (request.method === 'GET') return get(path, inbound);
    if (request.method === 'DELETE') return remove(inbound);
    return notAllowed(response, 'POST, GET, DELETE', `${request.method} is not part of MCP.`);
  }

  function fail(response: ServerResponse, error: unknown): void {
    const { http, rpc, message } = toAppError(error);
    refuse(response, http, { code: rpc, message });
  }

  return {
    handle(request, response) {
      const url = request.url ?? '/';
      const mark = url.indexOf('?');
      const path = mark === -1 ? url : url.slice(0, mark);
      if (!isMcpPath(path, request)) return false;
      response.on('error', destroy);
      const query = mark === -1 ? noQuery : new URLSearchParams(url.slice(mark + 1));
      serve(request, response, path, query).catch((error: unknown) => fail(response, error));
      return true;
    },
    upgrade(request, socket, head) {
      socket.on('error', () => {});
      const [path = '', ...rest] = (request.url ?? '/').split('?');
      const query = new URLSearchParams(rest.join('?'));
      const begin = async () => {
        const front = await webSockets();
        if (socket.destroyed) return;
        const { response, problem, open } = front.prepare(request, socket as Socket, head);
        if (problem !== undefined) return refuse(response, 400, { code: code.invalidRequest, message: problem });
        await serve(request, response, path, query, open).catch((error: unknown) => fail(response, error));
      };
      // An earlier request on this connection may still wait for its answer: then there is no place for another one.
      begin().catch(() => socket.destroy());
    },
    sessions: () => sessions.size() + sse.size() + (sockets?.size() ?? 0),
    dismiss(principals) {
      dismissals++;
      for (const principal of principals) {
        dismissed.delete(principal);
        dismissed.set(principal, dismissals);
      }
      // A dismissal matters only as long as a body takes to arrive.
      for (const oldest of dismissed.keys()) if (dismissed.size > MOST_DISMISSED) dismissed.delete(oldest);
      modern.end(principals);
      const reason = new AppError('forbidden', DISMISSED);
      sessions.end(reason, principals);
      sse.end(reason, principals);
      sockets?.dismiss(principals, DISMISSED);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(keepAlive);
      expiries[Symbol.dispose]();
      modern.end();
      // Requests in flight are answered with an error. Only those that do not end on their own are cut off later.
      const stopping = gatewayStops();
      peers?.end(stopping);
      due.abort(stopping);
      sessions.end(stopping);
      sse.stop(stopping);
      sockets?.stop(stopping);
      const busy = () => due.size() > 0 || sse.busy() || (sockets?.busy() ?? false);
      for (const until = Date.now() + STOP_MS; busy() && Date.now() < until; ) await delay(5);
      sse.end(stopping);
      await sockets?.[Symbol.asyncDispose]();
    },
  };
}

/**
 * Answered until the end: it takes no time, and a client that looks what there is may forget it all if it is refused. ARK
 * deletes its tools.
 */
export const answeredAtOnce: ReadonlySet<string> = new Set(['initialize', 'ping', 'tools/list']);

/** The error for calls in flight when the gateway stops. */
export function gatewayStops(): AppError {
  return new AppError('unavailable', 'The gateway is stopping. Try again when it is back.', { saysWhen: true });
}

/** A proxy may send it to another replica; a client may send it again later. Nothing was done yet. */
function refuseClosing(response: ServerResponse, id: Id): void {
  const { message } = gatewayStops();
  response.setHeader('retry-after', String(RESTART_S)).setHeader('connection', 'close');
  refuse(response, 503, { code: code.server, message }, id);
}

function refuseView(response: ServerResponse, message: string): void {
  refuse(response, 404, { code: code.invalidRequest, message });
}

function notAllowed(response: ServerResponse, allow: string, message: string): void {
  response.setHeader('allow', allow);
  refuse(response, 405, { code: code.server, message });
}

function upgradeRequired(response: ServerResponse): void {
  response.setHeader('upgrade', 'websocket');
  response.setHeader('connection', 'upgrade');
  const message =
    'This path is for WebSocket: connect with the subprotocol mcp. A proxy in between must pass on Upgrade and Connection. For HTTP use /mcp.';
  refuse(response, 426, { code: code.invalidRequest, message });
}

const isSocketPath = (path: string) => path === '/ws' || path.startsWith('/ws/');

function isMcpPath(path: string, { method, headers }: IncomingMessage): boolean {
  if (path === '/mcp' || path.startsWith('/mcp/') || path === '/sse' || path === '/message' || path === '/messages')
    return true;
  if (isSocketPath(path)) return true;
  // A browser's GET / is the console, and so is everything that neither has a session nor asks for a stream.
  if (path !== '/' || method === 'HEAD') return false;
  if (method !== 'GET' || headers['mcp-session-id'] !== undefined) return true;
  return headers.accept?.includes('text/event-stream') ?? false;
}

function destroy(this: ServerResponse): void {
  this.destroy();
}

// Shared, because most requests have neither.
const noQuery = new URLSearchParams();
const wholeView: View = {};

const isExposure = (text: string): text is Exposure => text === 'flat' || text === 'compact' || text === 'search';

/** Undefined if the exposure is unknown. */
function viewOf(path: string, query: URLSearchParams): View | undefined {
  // Names of toolsets need no encoding, so an encoded name matches none.
  const toolset = path.startsWith('/mcp/') || path.startsWith('/ws/') ? path.slice(path.indexOf('/', 1) + 1) : '';
  const expose = query.get('expose');
  if (toolset === '' && expose === null) return wholeView;
  if (expose !== null && !isExposure(expose)) return undefined;
  return { ...(toolset !== '' && { toolset }), ...(expose !== null && { expose }) };
}
