import { randomUUID } from 'node:crypto';
import { Cancellation, type Stop } from '../kernel/cancellation.ts';
import { AppError, toAppError } from '../kernel/errors.ts';
import { isSame } from '../kernel/principal.ts';
import type { ClientFacts, Json, Outcome } from '../kernel/source.ts';
import { code, errorOutcome, isObject, type Request } from '../wire/jsonrpc.ts';
import type { Answer, Exchange } from '../wire/service.ts';

const MARK = 'p.';
const PARKED_MS = 10 * 60_000;
/** Calls of one caller that may wait for an answer; one more ends the oldest. */
const MOST_PARKED = 100;

interface Question {
  method: string;
  params: Json | undefined;
  resolve(outcome: Outcome): void;
}

/**
 * A call of a 2026 client that must ask something on the way (a 2025 backend elicits, a tool wants confirmation).
 * Its request ends with `input_required`, and the call waits here until the client comes back with the answer.
 */
class ParkedCall implements Exchange {
  /** New for each wait, so that an answer counts only once. */
  token = '';
  readonly request: Request;
  readonly #abort = new Cancellation();
  readonly #open = new Map<string, Question>();
  #last: Exchange;
  #current: Exchange | undefined;
  #asked = Promise.withResolvers<void>();
  #counter = 0;
  readonly #mark: string;
  #expiry: NodeJS.Timeout | undefined;
  done!: Promise<Answer>;

  constructor(exchange: Exchange, request: Request, mark: string) {
    this.request = request;
    this.#mark = mark;
    this.#follow(exchange);
    this.#last = exchange;
  }

  get principal() {
    return this.#last.principal;
  }
  get view() {
    return this.#last.view;
  }
  get trace() {
    return this.#last.trace;
  }
  get client(): ClientFacts {
    return this.#last.client;
  }
  get paramHeaders() {
    return this.#last.paramHeaders;
  }
  get signal(): AbortSignal {
    return this.#abort.signal;
  }
  get stop(): Stop {
    return this.#abort;
  }

  hold(release: () => void): void {
    this.#last.hold?.(release);
  }

  notify(method: string, params: Json): void {
    this.#current?.notify(method, params);
  }

  ask(method: string, params: Json | undefined, takenBack?: AbortSignal): Promise<Outcome> {
    return new Promise((resolve) => {
      const key = `q${++this.#counter}`;
      this.#open.set(key, { method, params, resolve });
      const forget = () => {
        this.#open.delete(key);
        resolve(errorOutcome(code.server, 'The call was cancelled.'));
      };
      this.#abort.addEventListener('abort', forget, { once: true });
      takenBack?.addEventListener('abort', forget, { once: true });
      this.#asked.resolve();
    });
  }

  /** The client is back with answers to some or all of the questions. */
  resume(exchange: Exchange, responses: Json): void {
    clearTimeout(this.#expiry);
    this.#last = exchange;
    this.#follow(exchange);
    for (const [key, question] of this.#open) {
      const response = responses[key];
      if (!isObject(response)) continue;
      this.#open.delete(key);
      question.resolve({ result: response });
    }
    this.#asked = Promise.withResolvers<void>();
    if (this.#open.size > 0) this.#asked.resolve();
  }

  /** The answer to the current request: the result, or what to ask first. */
  async next(park: (call: ParkedCall) => void): Promise<Answer> {
    const answer = await Promise.race([this.done, this.#asked.promise]);
    if (answer) return answer;
    this.#current = undefined;
    this.token = this.#mark + randomUUID();
    this.#expiry = setTimeout(
      () => this.#abort.abort(new AppError('timeout', 'Nobody answered within ten minutes.')),
      PARKED_MS,
    );
    this.#expiry.unref();
    park(this);
    const inputRequests = Object.fromEntries(
      [...this.#open].map(([key, { method, params }]) => [key, { method, ...(params && { params }) }]),
    );
    return { result: { resultType: 'input_required', inputRequests, requestState: this.token } };
  }

  giveUp(reason: AppError): void {
    clearTimeout(this.#expiry);
    this.#abort.abort(reason);
  }

  #follow(exchange: Exchange): void {
    this.#current = exchange;
    const stop = exchange.stop ?? exchange.signal;
    stop.addEventListener('abort', () => {
      if (this.#current === exchange) this.#abort.abort(stop.reason);
    });
  }
}

/** With replicas, tokens name the one whose call waits, so that the others know where to send the answer. */
export function createParking(replica?: string) {
  const mark = replica === undefined ? MARK : `${MARK}${replica}.`;
  const parked = new Map<string, ParkedCall>();
  /** Parked calls by caller, oldest first. */
  const byPrincipal = new Map<string, Set<ParkedCall>>();

  function park(call: ParkedCall): void {
    const { id } = call.principal;
    const own = byPrincipal.get(id) ?? new Set();
    byPrincipal.set(id, own);
    for (const oldest of own) {
      if (own.size < MOST_PARKED) break;
      oldest.giveUp(
        new AppError(
          'rate_limited',
          `${MOST_PARKED} of your calls are waiting for answers, so this one, the oldest, was ended.`,
        ),
      );
      leave(oldest);
    }
    own.add(call);
    parked.set(call.token, call);
    call.stop.addEventListener('abort', () => leave(call), { once: true });
  }

  function leave(call: ParkedCall): void {
    parked.delete(call.token);
    const { id } = call.principal;
    const own = byPrincipal.get(id);
    own?.delete(call);
    if (own?.size === 0) byPrincipal.delete(id);
  }

  function resume(token: string, exchange: Exchange, request: Request): Promise<Answer> | Answer {
    const call = parked.get(token);
    const same =
      call &&
      isSame(call.principal, exchange.principal) &&
      call.request.method === request.method &&
      call.request.params?.name === request.params?.name &&
      call.request.params?.uri === request.params?.uri;
    if (!same) {
      const message =
        'The call that waited for this answer has expired, or the gateway was restarted. The answer was not used; start the call again.';
      return errorOutcome(code.invalidParams, message, { retryable: true });
    }
    leave(call);
    call.resume(exchange, isObject(request.params?.inputResponses) ? request.params.inputResponses : {});
    return call.next(park);
  }

  return {
    /** Runs a request that may have to ask its client something on the way. */
    async run(exchange: Exchange, request: Request, work: (exchange: Exchange) => Promise<Answer>): Promise<Answer> {
      if (exchange.client.era === 'legacy') return work(exchange);
      const state = request.params?.requestState;
      if (typeof state === 'string' && state.startsWith(MARK)) return resume(state, exchange, request);
      const call = new ParkedCall(exchange, request, mark);
      call.done = work(call);
      call.done.catch((error: unknown) => toAppError(error));
      return call.next(park);
    },
    size: () => parked.size,
  };
}

export type Parking = ReturnType<typeof createParking>;
