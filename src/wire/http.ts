import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';
import type { Principal } from '../kernel/principal.ts';
import type { ClientFacts, Exposure, RpcError } from '../kernel/source.ts';
import { traceFrom } from '../kernel/trace.ts';
import { ClientConnection } from './connection.ts';
import { acceptsOf, HttpReply, openEventStream, sendJson } from './http-reply.ts';
import { HttpSession } from './http-session.ts';
import {
  asMessage,
  code,
  errorOutcome,
  type Id,
  isNotification,
  isObject,
  isRequest,
  isResponse,
  type Message,
  parseJson,
  type Request,
  responseText,
} from './jsonrpc.ts';
import {
  claimsModern,
  headerMismatch,
  headerNamesModern,
  readEnvelope,
  statusOf,
  unsupportedVersion,
} from './modern.ts';
import type { Service, SubscriptionFilter, View } from './service.ts';
import { sseFrame, sseKeepAlive } from './sse.ts';
import { legacyVersions, MODERN, meta } from './versions.ts';

export interface HttpOptions {
  service: Service;
  /** Decides who is calling before anything is read; answers the request itself and returns undefined when refused. */
  admit(request: IncomingMessage, response: ServerResponse): Principal | undefined;
  bodyLimit?: number;
  sessionIdleMs?: number;
  keepAliveMs?: number;
}

export interface HttpEndpoint extends AsyncDisposable {
  /** Serves the request if its path is an MCP one. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  sessions(): number;
}

const exposures: readonly string[] = ['flat', 'compact', 'search'] satisfies Exposure[];

/** MCP over HTTP: Streamable HTTP of every era on one URL, and the legacy pair of SSE stream and message URL. */
export function createHttpEndpoint(options: HttpOptions): HttpEndpoint {
  const { service } = options;
  const bodyLimit = options.bodyLimit ?? 16 * 1024 * 1024;
  const idleMs = options.sessionIdleMs ?? 30 * 60_000;
  const sessions = new Map<string, HttpSession>();
  const sseStreams = new Map<string, { connection: ClientConnection; response: ServerResponse }>();
  const pending = new Map<HttpReply, number>();
  const listening = new Set<{ response: ServerResponse; end(): void }>();

  const keepAliveMs = options.keepAliveMs ?? 15_000;
  const keepAlive = setInterval(() => {
    const now = Date.now();
    for (const [reply, since] of pending) if (now - since >= keepAliveMs) reply.keepAlive();
    for (const session of sessions.values()) session.keepAlive();
    for (const { response } of sseStreams.values()) response.write(sseKeepAlive);
    for (const { response } of listening) response.write(sseKeepAlive);
    for (const session of sessions.values()) if (session.idleMs(now) > idleMs) end(session);
  }, keepAliveMs);
  keepAlive.unref();

  function end(session: HttpSession): void {
    sessions.delete(session.id);
    session.close();
  }

  function refuse(response: ServerResponse, status: number, error: RpcError, id: Id | null = null): void {
    sendJson(response, status, responseText(id, { error }));
  }

  async function post(
    request: IncomingMessage,
    response: ServerResponse,
    principal: Principal,
    view: View,
  ): Promise<void> {
    const body = await readMessage(request, response);
    if (body === undefined) return;
    if (!Array.isArray(body)) {
      const message = asMessage(body);
      if ('invalid' in message) {
        const id = isObject(body) && (typeof body.id === 'string' || typeof body.id === 'number') ? body.id : null;
        return refuse(
          response,
          400,
          { code: code.invalidRequest, message: `Invalid request: ${message.invalid}.` },
          id,
        );
      }
      const claims = !isResponse(message) && (claimsModern(message.params) || headerNamesModern(request.headers));
      if (claims && isRequest(message)) return modern(message, request, response, principal, view);
      if (claims && isNotification(message)) return void response.writeHead(202).end();
      return legacy([message], undefined, request, response, principal, view);
    }
    const messages = body.map(asMessage);
    const invalid = messages.find((message) => 'invalid' in message);
    if (messages.length === 0 || invalid || body.some((message) => claimsModern(message?.params))) {
      const why = invalid && 'invalid' in invalid ? invalid.invalid : 'an empty batch, or one with 2026-07-28 requests';
      return refuse(response, 400, { code: code.invalidRequest, message: `Invalid batch: ${why}.` });
    }
    return legacy(messages as Message[], messages.length, request, response, principal, view);
  }

  function modern(
    message: Request,
    request: IncomingMessage,
    response: ServerResponse,
    principal: Principal,
    view: View,
  ): Promise<void> | void {
    const envelope = readEnvelope(message.params);
    if ('error' in envelope) return refuse(response, 400, envelope.error, message.id);
    const { client } = envelope;
    const mismatch = headerMismatch(request.headers, message, client.version);
    if (client.version !== MODERN && (!mismatch || !request.headers['mcp-protocol-version'])) {
      return refuse(response, 400, unsupportedVersion(client.version), message.id);
    }
    if (mismatch) return refuse(response, 400, mismatch, message.id);
    if (message.method === 'subscriptions/listen') return listen(message, client, response, principal, view);
    return serveModern(message, client, request, response, principal, view);
  }

  async function serveModern(
    message: Request,
    client: ClientFacts,
    request: IncomingMessage,
    response: ServerResponse,
    principal: Principal,
    view: View,
  ): Promise<void> {
    const reply = new HttpReply(response, { accepts: acceptsOf(request.headers.accept) });
    const abort = new AbortController();
    // Closing the stream is how a 2026 client cancels.
    response.on('close', () => {
      if (!response.writableFinished) abort.abort(new AppError('cancelled', 'The client closed the stream.'));
    });
    pending.set(reply, Date.now());
    const answer = await service.request(message, {
      principal,
      view,
      client,
      signal: abort.signal,
      trace: traceOf(request, message),
      paramHeaders: paramHeaders(request),
      notify: (method, params) => reply.send(JSON.stringify({ jsonrpc: '2.0', method, params })),
      ask: () =>
        Promise.resolve(errorOutcome(code.internal, 'A 2026-07-28 client is asked by an input_required result.')),
    });
    pending.delete(reply);
    reply.finish(responseText(message.id, answer), 'error' in answer ? statusOf(answer.error) : 200);
  }

  function listen(
    message: Request,
    client: ClientFacts,
    response: ServerResponse,
    principal: Principal,
    view: View,
  ): void {
    const filter = message.params?.notifications;
    if (!isObject(filter)) {
      return refuse(
        response,
        200,
        { code: code.invalidParams, message: 'Invalid params: notifications is required.' },
        message.id,
      );
    }
    const stamp = { [meta.subscriptionId]: message.id };
    const send = (method: string, params: Record<string, unknown>) =>
      response.write(
        sseFrame(
          JSON.stringify({
            jsonrpc: '2.0',
            method,
            params: { ...params, _meta: { ...(params._meta as object), ...stamp } },
          }),
        ),
      );
    const listener = { principal, view, client, filter: filter as SubscriptionFilter, deliver: send };
    const honoured = service.honour(listener);
    openEventStream(response);
    send('notifications/subscriptions/acknowledged', { notifications: honoured });
    const stop = service.listen({ ...listener, filter: honoured });
    const open = {
      response,
      end: () => {
        const result = { resultType: 'complete', _meta: { ...stamp, [meta.serverInfo]: service.serverInfo } };
        response.end(sseFrame(responseText(message.id, { result })));
      },
    };
    listening.add(open);
    response.on('close', () => {
      listening.delete(open);
      stop();
    });
    if (Object.keys(honoured).length === 0) open.end();
  }

  async function legacy(
    messages: Message[],
    batch: number | undefined,
    request: IncomingMessage,
    response: ServerResponse,
    principal: Principal,
    view: View,
  ): Promise<void> {
    const sessionId = header(request, 'mcp-session-id');
    const initialize = messages.find(
      (message): message is Request => isRequest(message) && message.method === 'initialize',
    );
    let session: HttpSession | undefined;
    if (initialize && batch === undefined && sessionId === undefined) {
      session = new HttpSession({ principal, view, service });
      sessions.set(session.id, session);
    } else if (sessionId !== undefined) {
      session = sessions.get(sessionId);
      if (!session || session.connection.principal.id !== principal.id) {
        return refuse(
          response,
          404,
          { code: code.sessionNotFound, message: 'Session not found: initialize again.' },
          idOf(messages),
        );
      }
      if (initialize) {
        return refuse(
          response,
          400,
          { code: code.invalidRequest, message: 'This session is already initialized.' },
          initialize.id,
        );
      }
      session.touch();
    }
    const version = header(request, 'mcp-protocol-version');
    if (version !== undefined && !legacyVersions.some((known) => known === version)) {
      return refuse(
        response,
        400,
        {
          code: code.invalidRequest,
          message: `Unsupported MCP-Protocol-Version ${version}; supported: ${legacyVersions.join(', ')}, ${MODERN}.`,
        },
        idOf(messages),
      );
    }
    if (batch !== undefined && (session?.connection.client.version ?? version ?? '2025-03-26') !== '2025-03-26') {
      return refuse(response, 400, {
        code: code.invalidRequest,
        message: 'Batches exist in 2025-03-26 only; send one message a request.',
      });
    }
    if (!session) return stateless(messages, batch, version, request, response, principal, view);
    return inSession(session, messages, batch, request, response);
  }

  async function inSession(
    session: HttpSession,
    messages: Message[],
    batch: number | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { connection } = session;
    for (const message of messages) {
      if (isNotification(message)) connection.notification(message);
      else if (isResponse(message)) connection.response(message);
    }
    const requests = messages.filter(isRequest);
    if (requests.length === 0) return void response.writeHead(202, { 'mcp-session-id': session.id }).end();
    const reply = session.reply(
      response,
      acceptsOf(request.headers.accept),
      batch === undefined ? undefined : requests.length,
    );
    pending.set(reply, Date.now());
    const extra = { paramHeaders: paramHeaders(request) };
    await Promise.all(
      requests.map(async (message) => {
        const answer = await connection.request(message, reply, extra);
        reply.finish(answer && responseText(message.id, answer));
      }),
    );
    pending.delete(reply);
    session.touch();
  }

  /** Clients that never initialise get an answer all the same; what needs a session says so. */
  async function stateless(
    messages: Message[],
    batch: number | undefined,
    version: string | undefined,
    request: IncomingMessage,
    response: ServerResponse,
    principal: Principal,
    view: View,
  ): Promise<void> {
    const requests = messages.filter(isRequest);
    if (requests.length === 0) {
      if (messages.every(isNotification)) return void response.writeHead(202).end();
      return refuse(response, 400, {
        code: code.server,
        message: 'A response needs the session of its request: send Mcp-Session-Id.',
      });
    }
    const bound = requests.find(({ method }) => needSession.has(method));
    if (bound) {
      return refuse(
        response,
        400,
        { code: code.server, message: `${bound.method} needs a session: initialize first and send Mcp-Session-Id.` },
        bound.id,
      );
    }
    const reply = new HttpReply(response, {
      accepts: acceptsOf(request.headers.accept),
      ...(batch !== undefined && { batch: requests.length }),
    });
    const abort = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) abort.abort(new AppError('cancelled', 'The client closed the connection.'));
    });
    pending.set(reply, Date.now());
    const client: ClientFacts = { era: 'legacy', version: version ?? '2025-03-26', capabilities: {} };
    await Promise.all(
      requests.map(async (message) => {
        const answer = await service.request(message, {
          principal,
          view,
          client,
          signal: abort.signal,
          trace: traceOf(request, message),
          notify: (method, params) => reply.send(JSON.stringify({ jsonrpc: '2.0', method, params })),
          ask: (method) =>
            Promise.resolve(
              errorOutcome(code.methodNotFound, `${method} needs a session: the client did not initialize.`),
            ),
        });
        reply.finish(responseText(message.id, answer));
      }),
    );
    pending.delete(reply);
  }

  function get(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    principal: Principal,
    view: View,
  ): void {
    const sessionId = header(request, 'mcp-session-id');
    if (sessionId !== undefined) {
      const session = sessions.get(sessionId);
      if (!session || session.connection.principal.id !== principal.id) {
        return refuse(response, 404, { code: code.sessionNotFound, message: 'Session not found: initialize again.' });
      }
      session.touch();
      return session.stream(response, header(request, 'last-event-id'));
    }
    if (headerNamesModern(request.headers)) {
      response.setHeader('allow', 'POST');
      return refuse(response, 405, {
        code: code.server,
        message: `${MODERN} has no GET stream: use subscriptions/listen.`,
      });
    }
    const wantsStream = request.headers.accept?.includes('text/event-stream') ?? false;
    const named = header(request, 'mcp-protocol-version') !== undefined;
    if (path === '/sse' || (wantsStream && !named)) return openSse(response, principal, view);
    if (wantsStream) {
      return refuse(response, 400, {
        code: code.server,
        message: 'Missing session: initialize first and send Mcp-Session-Id.',
      });
    }
    response.setHeader('allow', 'POST, GET, DELETE');
    return refuse(response, 405, {
      code: code.server,
      message: 'This is an MCP endpoint: POST JSON-RPC to it, or GET it with Accept: text/event-stream.',
    });
  }

  function openSse(response: ServerResponse, principal: Principal, view: View): void {
    const id = randomUUID();
    const send = (text: string) => response.write(sseFrame(text));
    const connection = new ClientConnection({ id, principal, view, service, standing: { canAsk: () => true, send } });
    sseStreams.set(id, { connection, response });
    openEventStream(response);
    response.write(sseFrame(`/message?sessionId=${id}`, undefined, 'endpoint'));
    response.on('close', () => {
      sseStreams.delete(id);
      connection.close();
    });
  }

  async function postSse(
    request: IncomingMessage,
    response: ServerResponse,
    principal: Principal,
    query: URLSearchParams,
  ): Promise<void> {
    const stream = sseStreams.get(query.get('sessionId') ?? '');
    if (!stream || stream.connection.principal.id !== principal.id) {
      const known = query.has('sessionId');
      return refuse(response, known ? 404 : 400, {
        code: code.sessionNotFound,
        message: known
          ? 'Session not found: open GET /sse again.'
          : 'Missing sessionId: use the URL that the endpoint event of GET /sse gave.',
      });
    }
    const body = await readMessage(request, response);
    if (body === undefined) return;
    const messages = (Array.isArray(body) ? body : [body]).map(asMessage);
    const invalid = messages.find((message) => 'invalid' in message);
    if (invalid && 'invalid' in invalid) {
      return refuse(response, 400, { code: code.invalidRequest, message: `Invalid request: ${invalid.invalid}.` });
    }
    response.writeHead(202).end('Accepted');
    const { connection } = stream;
    const channel = { canAsk: () => true, send: (text: string) => stream.response.write(sseFrame(text)) };
    await Promise.all(
      (messages as Message[]).map(async (message) => {
        if (isResponse(message)) connection.response(message);
        else if (isNotification(message)) connection.notification(message);
        else {
          const answer = await connection.request(message, channel);
          if (answer) channel.send(responseText(message.id, answer));
        }
      }),
    );
  }

  /** The parsed body; undefined when the request has been answered already. */
  async function readMessage(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const type = request.headers['content-type'];
    if (type !== undefined && !/^application\/(?:[\w.+-]*\+)?json\b/i.test(type)) {
      refuse(response, 415, {
        code: code.invalidRequest,
        message: `Unsupported media type ${type}: send application/json.`,
      });
      return undefined;
    }
    const body = await readBody(request, bodyLimit);
    if (body === 'too large') {
      response.setHeader('connection', 'close');
      refuse(response, 413, { code: code.invalidRequest, message: `The body is larger than ${bodyLimit} bytes.` });
      return undefined;
    }
    if (body === 'aborted') return undefined;
    try {
      return parseJson(body);
    } catch (error) {
      refuse(response, 400, { code: code.parse, message: `Parse error: ${(error as Error).message}.` });
      return undefined;
    }
  }

  function remove(request: IncomingMessage, response: ServerResponse, principal: Principal): void {
    const sessionId = header(request, 'mcp-session-id');
    if (sessionId === undefined) {
      const modernClient = headerNamesModern(request.headers);
      if (modernClient) response.setHeader('allow', 'POST');
      return refuse(response, modernClient ? 405 : 400, {
        code: code.server,
        message: modernClient ? `${MODERN} has no sessions to end.` : 'Missing session: send Mcp-Session-Id.',
      });
    }
    const session = sessions.get(sessionId);
    if (!session || session.connection.principal.id !== principal.id) {
      return refuse(response, 404, { code: code.sessionNotFound, message: 'Session not found.' });
    }
    end(session);
    response.writeHead(200).end();
  }

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: URLSearchParams,
  ): Promise<void> {
    const principal = options.admit(request, response);
    if (!principal) return;
    if (path === '/message' || path === '/messages') {
      if (request.method === 'POST') return postSse(request, response, principal, query);
      response.setHeader('allow', 'POST');
      return refuse(response, 405, { code: code.server, message: 'POST messages here.' });
    }
    const view = viewOf(path, query);
    const problem = service.viewProblem(view);
    if (problem !== undefined) return refuse(response, 404, { code: code.invalidRequest, message: problem });
    if (request.method === 'POST') return post(request, response, principal, view);
    if (request.method === 'GET') return get(request, response, path, principal, view);
    if (request.method === 'DELETE') return remove(request, response, principal);
    response.setHeader('allow', 'POST, GET, DELETE');
    return refuse(response, 405, { code: code.server, message: `${request.method} is not part of MCP.` });
  }

  return {
    handle(request, response) {
      const url = request.url ?? '/';
      const mark = url.indexOf('?');
      const path = mark === -1 ? url : url.slice(0, mark);
      if (!isMcpPath(path, request)) return false;
      response.on('error', () => response.destroy());
      serve(request, response, path, new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1))).catch(
        (error: unknown) => {
          refuse(response, 500, {
            code: code.internal,
            message: `Internal error: ${error instanceof Error ? error.message : String(error)}`,
          });
        },
      );
      return true;
    },
    sessions: () => sessions.size + sseStreams.size,
    async [Symbol.asyncDispose]() {
      clearInterval(keepAlive);
      for (const open of listening) open.end();
      for (const session of sessions.values()) end(session);
      for (const { connection, response } of sseStreams.values()) {
        response.end();
        connection.close();
      }
    },
  };
}

/** What only means something to a client that comes back on the same connection. */
const needSession: ReadonlySet<string> = new Set(['resources/subscribe', 'resources/unsubscribe', 'logging/setLevel']);

function isMcpPath(path: string, request: IncomingMessage): boolean {
  if (path === '/mcp' || path.startsWith('/mcp/') || path === '/sse' || path === '/message' || path === '/messages')
    return true;
  // A browser's GET / is the console; so is anything that does not ask for a stream.
  return (
    path === '/' &&
    !(request.method === 'GET' && !request.headers.accept?.includes('text/event-stream')) &&
    request.method !== 'HEAD'
  );
}

function viewOf(path: string, query: URLSearchParams): View {
  const toolset = path.startsWith('/mcp/') ? decodeURIComponent(path.slice('/mcp/'.length)) : '';
  const expose = query.get('expose');
  return {
    ...(toolset !== '' && { toolset }),
    ...(expose !== null && { expose: (exposures.includes(expose) ? expose : `unknown:${expose}`) as Exposure }),
  };
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}

function idOf(messages: readonly Message[]): Id | null {
  const only = messages.length === 1 ? messages[0] : undefined;
  return only && isRequest(only) ? only.id : null;
}

function traceOf(request: IncomingMessage, message: Request) {
  const own = isObject(message.params?._meta) ? message.params._meta : {};
  return traceFrom(
    own.traceparent === undefined
      ? {
          traceparent: request.headers.traceparent,
          tracestate: request.headers.tracestate,
          baggage: request.headers.baggage,
        }
      : own,
  );
}

function paramHeaders(request: IncomingMessage): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name in request.headers)
    if (name.startsWith('mcp-param-')) found[name] = String(request.headers[name]).trim();
  return found;
}

function readBody(request: IncomingMessage, limit: number): Promise<Buffer | 'too large' | 'aborted'> {
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    request.resume();
    return Promise.resolve('too large');
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve('too large');
      }
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on('error', () => resolve('aborted'));
    request.on('close', () => resolve('aborted'));
  });
}
