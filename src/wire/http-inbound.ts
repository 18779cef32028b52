import type { IncomingMessage, ServerResponse } from 'node:http';
import { Cancellation } from '../kernel/cancellation.ts';
import { AppError } from '../kernel/errors.ts';
import type { Principal } from '../kernel/principal.ts';
import type { ClientFacts, Outcome, RpcError } from '../kernel/source.ts';
import { tooMuch, TRY_AGAIN_S } from '../kernel/too-much.ts';
import { type Trace, traceFrom } from '../kernel/trace.ts';
import type { Allowance, Closing } from './allowance.ts';
import { RequestExchange } from './exchange.ts';
import { type HttpReply, sendJson } from './http-reply.ts';
import { InFlight } from './in-flight.ts';
import { code, type Id, isObject, parseJson, type Request, responseText } from './jsonrpc.ts';
import type { Answer, View } from './service.ts';

/** One HTTP request of an admitted client. */
export interface Inbound {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly principal: Principal;
  /** What its principal has open. */
  readonly allowance: Allowance;
  /** What to release when the request has been answered. */
  readonly taken: { bytes: number };
  readonly view: View;
  /** Opens a WebSocket on the connection of the request, if it asks for that. */
  readonly upgrade?: ((inbound: Inbound) => void) | undefined;
  /** The WWW-Authenticate header for a caller who can come back with this scope. */
  challenge?(scope: string): string;
  /** Whether the body is as it was sent: another replica may have forwarded it. */
  isAsSent(body: Buffer): boolean;
  /** Lets another replica answer this request, outside of its session. False if that replica is gone. */
  forward?(owner: string): Promise<boolean>;
}

export function refuse(response: ServerResponse, status: number, error: RpcError, id: Id | null = null): void {
  sendJson(response, status, responseText(id, { error }));
}

/** Refuses a caller that has too much open, and says what to do. */
export function refuseMore({ response, allowance }: Inbound, limit: string, message: string): void {
  allowance.refused(limit);
  const error = tooMuch(message);
  response.setHeader('retry-after', String(TRY_AGAIN_S));
  refuse(response, error.http, { code: code.server, message: error.message });
}

/** Counts a stream that is about to open. Answers with an error if the caller has too many. */
export function isRoomForStream(inbound: Inbound, most: number, stream: Closing = inbound.response): boolean {
  if (inbound.allowance.openStream(stream, most)) return true;
  refuseMore(inbound, 'streams', `You have ${most} streams open. Close some, or raise limits.streams.`);
  return false;
}

/** Answers a request. If a scope is missing and the caller can come back with it, answers 403 and names it. */
export function conclude(inbound: Inbound, reply: HttpReply, id: Id, answer: Answer, status?: number): void {
  if (answer.elsewhere !== undefined && inbound.forward && !inbound.response.headersSent) {
    const { elsewhere, ...here } = answer;
    const answerHere = () => conclude(inbound, reply, id, here, status);
    return void inbound.forward(elsewhere).then((answered) => answered || answerHere(), answerHere);
  }
  const missing = inbound.challenge && !inbound.response.headersSent ? missingScope(answer) : undefined;
  if (!missing) return reply.finish(responseText(id, answer), status, answer.release);
  inbound.response.setHeader('www-authenticate', inbound.challenge?.(missing.scope) ?? '');
  const error = { code: code.invalidRequest, message: missing.message };
  reply.finish(responseText(id, { error }), 403);
}

function missingScope(answer: Answer): { scope: string; message: string } | undefined {
  const why = 'error' in answer ? undefined : answer.failed;
  const scope = why?.code === 'forbidden' ? why.data?.scope : undefined;
  return why && typeof scope === 'string' ? { scope, message: why.message } : undefined;
}

export function header({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}

/** The trace of a request: from its `_meta`, or else from the HTTP headers. */
export function traceOf({ headers }: IncomingMessage, message: Request): Trace {
  const own = isObject(message.params?._meta) ? message.params._meta : {};
  const { traceparent, tracestate, baggage } = headers;
  const { traceparent: itsParent, tracestate: itsState, baggage: itsBaggage } = own;
  return traceFrom(
    itsParent === undefined
      ? { traceparent, tracestate, baggage }
      : { traceparent: itsParent, tracestate: itsState, baggage: itsBaggage },
  );
}

/** Cancels a call when the client closes the connection before the answer. */
export function stopAtClose(response: ServerResponse, why: string): Cancellation {
  const stop = new Cancellation();
  response.on('close', () => {
    if (!response.writableFinished) stop.abort(new AppError('cancelled', why));
  });
  return stop;
}

/** A request of a client without a connection, which therefore cannot be asked anything. */
export function soleExchange(
  { request, principal, view }: Inbound,
  message: Request,
  given: {
    client: ClientFacts;
    stop: Cancellation;
    reply: HttpReply;
    paramHeaders?: Record<string, string>;
    /** The answer to a question for the client. */
    unasked(method: string): Outcome;
  },
): RequestExchange {
  const { client, stop, reply, unasked } = given;
  return new RequestExchange({
    principal,
    view,
    client,
    stop,
    trace: traceOf(request, message),
    bytes: sizeOf(request),
    ...(given.paramHeaders && { paramHeaders: given.paramHeaders }),
    notify: (method, params) => reply.send(JSON.stringify({ jsonrpc: '2.0', method, params })),
    ask: (method) => Promise.resolve(unasked(method)),
  });
}

export function sizeOf({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

export function paramHeaders({ headers }: IncomingMessage): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name in headers) if (name.startsWith('mcp-param-')) found[name] = String(headers[name]).trim();
  return found;
}

/** The parsed body; undefined if the request has been answered already. */
export async function readMessage(inbound: Inbound, limit: number): Promise<unknown> {
  return (await readBoth(inbound, limit))?.message;
}

/** The body as it came, and parsed; undefined if the request has been answered already. */
export async function readBoth(
  inbound: Inbound,
  limit: number,
): Promise<{ body: Buffer; message: unknown } | undefined> {
  const { request, response } = inbound;
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/(?:[\w.+-]*\+)?json\b/i.test(type)) {
    const message = `Unsupported media type ${type}: send application/json.`;
    refuse(response, 415, { code: code.invalidRequest, message });
    return undefined;
  }
  const body = await readBody(inbound, limit);
  if (!body) return undefined;
  if (!inbound.isAsSent(body)) {
    const message =
      'Something between two replicas of this gateway changed the request, so nothing was done. Find out what it is, or use https in SLUICE_PEER_URL. Then send the request again.';
    refuse(response, 400, { code: code.server, message });
    return undefined;
  }
  try {
    return { body, message: parseJson(body) };
  } catch (error) {
    refuse(response, 400, { code: code.parse, message: `Parse error: ${(error as Error).message}.` });
    return undefined;
  }
}

/** The body; undefined if the request has been answered already. */
export async function readBody(inbound: Inbound, limit: number): Promise<Buffer | undefined> {
  const { response } = inbound;
  const body = await bodyOf(inbound, limit);
  if (body === 'aborted') return undefined;
  if (body === 'too much') {
    response.setHeader('connection', 'close');
    refuseMore(inbound, 'requests', 'Your requests in progress have too many bytes. Wait for some answers.');
    return undefined;
  }
  if (body === 'too large') {
    response.setHeader('connection', 'close');
    refuse(response, 413, { code: code.invalidRequest, message: `The body is larger than ${limit} bytes.` });
    return undefined;
  }
  return body;
}

function bodyOf(
  { request, allowance, taken }: Inbound,
  limit: number,
): Promise<Buffer | 'too large' | 'too much' | 'aborted'> {
  const announced = request.headers['content-length'] !== undefined;
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    request.resume();
    return Promise.resolve('too large');
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // A size from content-length is counted already.
      if (!announced && size <= limit) {
        if (allowance.takeMore(chunk.length)) taken.bytes += chunk.length;
        else {
          size = Number.POSITIVE_INFINITY;
          resolve('too much');
        }
      }
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

/** Replies that are still due. */
export function createDueReplies() {
  const due = new InFlight<{ reply: HttpReply; since: number; abort: Cancellation | undefined }>();
  let count = 0;
  return {
    /** Returns the number under which to settle it. */
    add(reply: HttpReply, abort?: Cancellation): number {
      due.set(++count, { reply, since: Date.now(), abort });
      return count;
    },
    settle: (number: number) => void due.delete(number),
    size: () => due.size,
    /** Sends keep-alives on replies that have waited for long. */
    keepAlive(afterMs: number): void {
      const now = Date.now();
      for (const { reply, since } of due.values()) if (now - since >= afterMs) reply.keepAlive();
    },
    abort(reason: AppError): void {
      for (const { abort } of due.values()) abort?.abort(reason);
    },
  };
}

export type DueReplies = ReturnType<typeof createDueReplies>;
