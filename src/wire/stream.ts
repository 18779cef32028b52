import type { Readable, Writable } from 'node:stream';
import { Cancellation } from '../kernel/cancellation.ts';
import { AppError, toAppError } from '../kernel/errors.ts';
import { joined, toWrite } from '../kernel/large-text.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Outcome, RpcError } from '../kernel/source.ts';
import { traceFrom } from '../kernel/trace.ts';
import { ClientConnection, tooManyInFlight } from './connection.ts';
import { RequestExchange } from './exchange.ts';
import {
  asMessage,
  code,
  errorOutcome,
  idIn,
  type Id,
  isNotification,
  isObject,
  isRequest,
  isResponse,
  type Notification,
  parseJson,
  type Request,
  responseText,
} from './jsonrpc.ts';
import { createLineReader } from './lines.ts';
import { claimsModern, readEnvelope, unsupportedVersion } from './modern.ts';
import type { Service, SubscriptionFilter, View } from './service.ts';
import { unreadBytes } from './unread.ts';
import { MODERN, meta } from './versions.ts';

const LINE_LIMIT = 64 * 1024 * 1024;
const MOST_LISTENS = 100;

/** A client on one connection that carries messages both ways. */
interface Messages {
  readonly service: Service;
  readonly principal: Principal;
  readonly view: View;
  readonly id: string;
  /** `onRead` is called when the client has it. */
  send(text: string, onRead?: () => void): void;
  /** Sends a message that is not an answer. */
  notify(text: string): void;
  /** Counts what arrived. Returns an error if the client exceeds a limit, or else what to call after the answer. */
  admit?(messages: number, bytes: number): Admitted | Promise<Admitted>;
}

export type Admitted = { error: RpcError } | (() => void);

/** MCP over one connection, whatever carries its messages: lines of a stream, frames of a WebSocket. Serves both eras. */
export function serveMessages(options: Messages) {
  const { service, principal, view, send, notify } = options;
  const channel = { canAsk: () => true, send: notify };
  const connection = new ClientConnection({ id: options.id, principal, view, service, standing: channel });
  const modernInFlight = new Map<Id, Cancellation>();
  const listens = new Map<Id, (graceful: boolean) => void>();

  async function listen(request: Request): Promise<void> {
    const envelope = readEnvelope(request.params);
    if ('error' in envelope) return send(responseText(request.id, envelope));
    if (listens.has(request.id) || listens.size >= MOST_LISTENS) {
      const why = listens.has(request.id)
        ? `A subscription with id ${JSON.stringify(request.id)} is already open.`
        : `${MOST_LISTENS} subscriptions are open on this connection. End some of them.`;
      return send(responseText(request.id, errorOutcome(code.invalidRequest, why)));
    }
    const filter = request.params?.notifications;
    if (!isObject(filter))
      return send(
        responseText(request.id, errorOutcome(code.invalidParams, 'Invalid params: notifications is required.')),
      );
    const stamp = { [meta.subscriptionId]: request.id };
    let isOver = false;
    let stop: (() => void) | undefined;
    const deliver = (method: string, params: Record<string, unknown>) => {
      if (isOver) return;
      notify(
        JSON.stringify({
          jsonrpc: '2.0',
          method,
          params: { ...params, _meta: { ...(params._meta as object), ...stamp } },
        }),
      );
    };
    listens.set(request.id, (graceful) => {
      listens.delete(request.id);
      isOver = true;
      stop?.();
      const result = { resultType: 'complete', _meta: { ...stamp, [meta.serverInfo]: service.serverInfo } };
      if (graceful) send(responseText(request.id, { result }));
    });
    const listener = { principal, view, client: envelope.client, filter: filter as SubscriptionFilter, deliver };
    const started = await service.listen(listener);
    if (isOver) started.stop();
    else stop = started.stop;
  }

  async function modern(request: Request, bytes: number): Promise<void> {
    if (request.method === 'subscriptions/listen') return listen(request);
    const envelope = readEnvelope(request.params);
    if ('error' in envelope) return send(responseText(request.id, envelope));
    if (envelope.client.version !== MODERN)
      return send(responseText(request.id, { error: unsupportedVersion(envelope.client.version) }));
    if (modernInFlight.has(request.id)) {
      return send(
        responseText(
          request.id,
          errorOutcome(code.invalidRequest, `A request with id ${JSON.stringify(request.id)} is already in flight.`),
        ),
      );
    }
    const refused = tooManyInFlight(modernInFlight.size);
    if (refused) return send(responseText(request.id, refused));
    const abort = new Cancellation();
    modernInFlight.set(request.id, abort);
    const exchange = new RequestExchange({
      principal,
      view,
      client: { ...envelope.client, session: options.id },
      stop: abort,
      trace: traceFrom(request.params?._meta as Record<string, unknown>),
      bytes,
      notify: (method, params) => notify(JSON.stringify({ jsonrpc: '2.0', method, params })),
      ask: () =>
        Promise.resolve(
          errorOutcome(code.internal, 'A 2026-07-28 client must be asked with an input_required result.'),
        ),
    });
    const answer = exchange.held(await service.request(request, exchange));
    modernInFlight.delete(request.id);
    if (abort.aborted && toAppError(abort.reason).code === 'cancelled') answer.release?.();
    else send(responseText(request.id, answer), answer.release);
  }

  function notification(message: Notification): void {
    const requestId = message.params?.requestId as Id;
    if (message.method === 'notifications/cancelled' && modernInFlight.has(requestId)) {
      modernInFlight.get(requestId)?.abort(new AppError('cancelled', 'The client cancelled.'));
    } else if (message.method === 'notifications/cancelled' && listens.has(requestId)) listens.get(requestId)?.(false);
    else connection.notification(message);
  }

  async function receive(text: string | Buffer): Promise<void> {
    let parsed: unknown;
    let problem: Outcome | undefined;
    try {
      parsed = parseJson(text);
    } catch (error) {
      problem = errorOutcome(code.parse, `Parse error: ${(error as Error).message}.`);
    }
    const verdict = options.admit?.(Array.isArray(parsed) ? parsed.length : 1, text.length);
    const admitted = verdict instanceof Promise ? await verdict : verdict;
    if (typeof admitted === 'object') return refuse(parsed, admitted);
    try {
      if (problem) send(responseText(null, problem));
      else await handle(parsed, text.length);
    } finally {
      admitted?.();
    }
  }

  /** Only requests can be refused with an answer. What ends or continues a call passes, or the call would hang. */
  function refuse(parsed: unknown, refusal: { error: RpcError }): void {
    const message = asMessage(parsed);
    if ('invalid' in message || isRequest(message)) send(responseText(idIn(parsed), refusal));
    else if (isResponse(message)) connection.response(message);
    else if (message.method === 'notifications/cancelled') notification(message);
  }

  async function handle(parsed: unknown, bytes: number): Promise<void> {
    if (Array.isArray(parsed)) return batch(parsed);
    const message = asMessage(parsed);
    if ('invalid' in message)
      return send(
        responseText(idIn(parsed), errorOutcome(code.invalidRequest, `Invalid request: ${message.invalid}.`)),
      );
    if (isResponse(message)) return void connection.response(message);
    if (isNotification(message)) return notification(message);
    if (!isRequest(message)) return;
    if (claimsModern(message.params)) return modern(message, bytes);
    if (message.method === 'server/discover')
      return send(
        responseText(message.id, readEnvelope(message.params) as { error: { code: number; message: string } }),
      );
    const answer = await connection.request(message, channel, { bytes });
    if (answer) send(responseText(message.id, answer), answer.release);
  }

  async function batch(parsed: unknown[]): Promise<void> {
    const messages = parsed.map(asMessage);
    if (
      connection.client.version !== '2025-03-26' ||
      messages.length === 0 ||
      messages.some((message) => 'invalid' in message)
    ) {
      return send(
        responseText(
          null,
          errorOutcome(code.invalidRequest, 'Batches exist only in 2025-03-26. Send one message at a time.'),
        ),
      );
    }
    const texts: string[] = [];
    await Promise.all(
      messages.map(async (message) => {
        if ('invalid' in message) return;
        if (isResponse(message)) connection.response(message);
        else if (isNotification(message)) notification(message);
        else if (isRequest(message)) {
          const answer = await connection.request(message, channel);
          if (answer) texts.push(responseText(message.id, answer));
        }
      }),
    );
    if (texts.length > 0) send(`[${texts.join(',')}]`);
  }

  let ended = false;
  return {
    receive,
    busy: () => connection.busy || modernInFlight.size > 0,
    /** Calls in flight are answered only if the reason is not that the client is gone. */
    close(graceful: boolean, reason = new AppError('cancelled', 'The client disconnected.')): void {
      if (ended) return;
      ended = true;
      for (const stop of listens.values()) stop(graceful);
      for (const abort of modernInFlight.values()) abort.abort(reason);
      connection.close(reason);
    },
  };
}

/** MCP as lines of JSON over a pair of streams: stdio, or the socket that `sluice stdio` attaches to. */
export function serveStream(options: {
  input: Readable;
  output: Writable;
  service: Service;
  principal: Principal;
  view: View;
  id: string;
}): { closed: Promise<void>; close(): void } {
  const { input, output, service, principal, view, id } = options;
  const unread = unreadBytes(() => close(false));
  const send = (text: string, onRead?: () => void) => {
    if (output.destroyed || !output.writable) return onRead?.();
    output.write(toWrite(joined('', text, '\n')));
    unread.wrote(output, onRead);
  };
  const notify = (text: string) => {
    if (unread.mayNotify(output)) send(text);
  };
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const messages = serveMessages({ service, principal, view, id, send, notify });
  const close = (graceful: boolean) => {
    messages.close(graceful);
    resolve();
  };
  const read = createLineReader({
    limit: LINE_LIMIT,
    onLine: (line) => void messages.receive(line),
    onTooLong: ({ bytes }) =>
      send(responseText(null, errorOutcome(code.invalidRequest, `A message of ${bytes} bytes is too large.`))),
  });
  input.on('data', read);
  input.on('end', () => close(false));
  input.on('close', () => close(false));
  input.on('error', () => close(false));
  output.on('error', () => close(false));
  return { closed, close: () => close(true) };
}
