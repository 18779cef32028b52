import { Cancellation } from '../kernel/cancellation.ts';
import { AppError, toAppError } from '../kernel/errors.ts';
import type { Principal } from '../kernel/principal.ts';
import type { ClientFacts, Json, Outcome } from '../kernel/source.ts';
import { traceFrom } from '../kernel/trace.ts';
import { RequestExchange } from './exchange.ts';
import { code, errorOutcome, type Id, isObject, type Notification, type Request, type Response } from './jsonrpc.ts';
import type { Answer, Connection, Exchange, Service, View } from './service.ts';
import { negotiate } from './versions.ts';

/** Where messages that belong to one request go: its own stream, or the only one there is. */
export interface Channel {
  /** Whether it can carry requests to the client. */
  canAsk(): boolean;
  send(text: string): void;
}

const uninitialised: ClientFacts = { era: 'legacy', version: '2025-03-26', capabilities: {} };

/** Limit per connection. HTTP also counts by caller. */
const MOST_IN_FLIGHT = 1000;

/** Refuses another request if the connection has too many in flight. */
export function tooManyInFlight(count: number): Outcome | undefined {
  if (count < MOST_IN_FLIGHT) return undefined;
  const message = `${MOST_IN_FLIGHT} requests of this connection are in flight. Wait for some of them.`;
  return errorOutcome(code.server, message, { retryable: true });
}

/** Limit for what a client says about itself, which is kept as long as its session. */
const LONGEST_INTRODUCTION = 64 * 1024;

function introductionProblem({ clientInfo, capabilities }: Json): string | undefined {
  if (JSON.stringify([clientInfo, capabilities]).length <= LONGEST_INTRODUCTION) return undefined;
  return `Invalid params: clientInfo and capabilities together have more than ${LONGEST_INTRODUCTION} characters.`;
}

/**
 * A client of the 2025 eras: its requests in flight, and the questions it was asked. Transports differ only in
 * channels.
 */
export class ClientConnection implements Connection {
  readonly id: string;
  readonly principal: Principal;
  readonly view: View;
  client: ClientFacts;
  readonly #service: Service;
  readonly #standing: Channel;
  readonly #endIdle: () => boolean;
  readonly #inFlight = new Map<Id, Cancellation>();
  readonly #asked = new Map<Id, (outcome: Outcome) => void>();
  #nextAsk = 1;
  #closed = false;

  constructor(options: {
    id: string;
    principal: Principal;
    view: View;
    service: Service;
    standing: Channel;
    endIdle?: () => boolean;
  }) {
    this.id = options.id;
    this.principal = options.principal;
    this.view = options.view;
    this.client = { ...uninitialised, session: options.id };
    this.#service = options.service;
    this.#standing = options.standing;
    this.#endIdle = options.endIdle ?? (() => false);
  }

  get busy(): boolean {
    return this.#inFlight.size > 0;
  }

  endIdle(): boolean {
    return this.#endIdle();
  }

  notify(method: string, params?: Json): void {
    if (!this.#closed) this.#standing.send(JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) }));
  }

  ask(
    method: string,
    params: Json | undefined,
    signal?: AbortSignal,
    channel: Channel = this.#standing,
  ): Promise<Outcome> {
    if (this.#closed) return Promise.resolve(errorOutcome(code.server, 'The client disconnected.'));
    const via = channel.canAsk() ? channel : this.#standing;
    if (!via.canAsk()) {
      return Promise.resolve(
        errorOutcome(code.methodNotFound, `The client has no open stream on which ${method} could reach it.`),
      );
    }
    const id = this.#nextAsk++;
    return new Promise((resolve) => {
      const finish = (outcome: Outcome) => {
        this.#asked.delete(id);
        signal?.removeEventListener('abort', onAbort);
        resolve(outcome);
      };
      const onAbort = () => {
        const gone = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
        // The call may have been answered already, which closed the stream of the question.
        (via.canAsk() ? via : this.#standing).send(JSON.stringify(gone));
        finish(errorOutcome(code.server, 'The request was cancelled.'));
      };
      this.#asked.set(id, finish);
      signal?.addEventListener('abort', onAbort, { once: true });
      via.send(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) }));
    });
  }

  /** Answers a request; undefined if it was cancelled, so that no answer is due. */
  async request(
    request: Request,
    channel: Channel,
    extra: Partial<Pick<Exchange, 'paramHeaders' | 'trace' | 'bytes'>> = {},
  ): Promise<Answer | undefined> {
    if (this.#inFlight.has(request.id)) {
      return errorOutcome(code.invalidRequest, `A request with id ${JSON.stringify(request.id)} is already in flight.`);
    }
    const refused = tooManyInFlight(this.#inFlight.size);
    if (refused) return refused;
    if (request.method === 'initialize') {
      const problem = introductionProblem(request.params ?? {});
      if (problem !== undefined) return errorOutcome(code.invalidParams, problem);
      this.#introduce(request.params ?? {});
    }
    const abort = new Cancellation();
    this.#inFlight.set(request.id, abort);
    let answered = false;
    const requestMeta = isObject(request.params?._meta) ? request.params._meta : {};
    const exchange = new RequestExchange({
      principal: this.principal,
      view: this.view,
      connection: this,
      client: this.client,
      stop: abort,
      trace: extra.trace ?? traceFrom(requestMeta),
      bytes: extra.bytes,
      ...(extra.paramHeaders && { paramHeaders: extra.paramHeaders }),
      // A task outlives the call that created it, and the stream of that call.
      notify: (method, params) =>
        answered ? this.notify(method, params) : channel.send(JSON.stringify({ jsonrpc: '2.0', method, params })),
      ask: (method, params, signal) =>
        this.ask(method, params, signal ? AbortSignal.any([abort.signal, signal]) : abort.signal, channel),
    });
    const answer = exchange.held(await this.#service.request(request, exchange));
    answered = true;
    this.#inFlight.delete(request.id);
    if (!abort.aborted || toAppError(abort.reason).code !== 'cancelled') return answer;
    answer.release?.();
    return undefined;
  }

  notification(notification: Notification): void {
    if (notification.method === 'notifications/cancelled') {
      this.#inFlight
        .get(notification.params?.requestId as Id)
        ?.abort(new AppError('cancelled', 'The client cancelled.'));
      return;
    }
    this.#service.notification(notification, this);
  }

  /** Returns whether we waited for this response. */
  response(response: Response): boolean {
    const finish = response.id === null ? undefined : this.#asked.get(response.id);
    finish?.(response.error ? { error: response.error } : { result: response.result ?? {} });
    return finish !== undefined;
  }

  /** Ends everything in flight. Calls are answered only if the client is still there to see why. */
  close(reason: AppError = new AppError('cancelled', 'The client disconnected.')): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const abort of this.#inFlight.values()) abort.abort(reason);
    for (const finish of this.#asked.values()) finish(errorOutcome(code.server, 'The client disconnected.'));
    this.#service.closed(this);
  }

  #introduce(params: Json): void {
    this.client = {
      era: 'legacy',
      version: negotiate(params.protocolVersion),
      capabilities: isObject(params.capabilities) ? params.capabilities : {},
      ...(isObject(params.clientInfo) && { info: params.clientInfo }),
      session: this.id,
    };
    this.#service.opened(this);
  }
}
