import type { Stop } from '../kernel/cancellation.ts';
import { AppError, toAppError } from '../kernel/errors.ts';
import type { CallContext, Json, Outcome, RpcError } from '../kernel/source.ts';
import { code, errorOutcome, type Id, isObject, isRequest, isResponse, type Message, type Request } from './jsonrpc.ts';
import { discover, type Greeting, type Handshake, negotiate } from './handshake.ts';
import { InFlight } from './in-flight.ts';
import type { Link, LinkEvents } from './link.ts';
import { room } from './room.ts';
import type { Answer } from './service.ts';
import { isOver, TaskCalls } from './task-calls.ts';
import { meta } from './versions.ts';

/** One request to a backend, and where messages that belong to it go. */
export interface UpstreamCall {
  /** Owner of the call. Calls of the same owner may share the backend's questions. */
  owner?: string;
  /** Cancels the call. */
  stop?: Stop;
  /** How long the backend may be silent. Anything it sends about this call restarts the time. */
  idleMs: number;
  /** The task it is about: messages about the task keep the call waiting. */
  task?: string;
  /** The caller's own progress token, which replaces ours in what arrives. */
  progressToken?: string | number;
  headers?: Readonly<Record<string, string>>;
  /** Keeps the room that its answer takes. */
  holder?: Pick<CallContext, 'hold'>;
  onNotification?(method: string, params: Json): void;
  onAsk?(method: string, params: Json | undefined, signal: AbortSignal): Promise<Outcome>;
}

export interface UpstreamEvents {
  /** A notification that belongs to no call: list_changed, resource updates, logs on a shared stream. */
  notification(method: string, params: Json): void;
  /** A request that belongs to no call in flight. */
  ask(method: string, params: Json | undefined): Promise<Outcome>;
  noise(what: string): void;
  closed(error: AppError): void;
}

interface Pending extends UpstreamCall {
  resolve(answer: Answer): void;
  reject(error: AppError): void;
  deadline: number;
  onAbort: (() => void) | undefined;
}

export interface UpstreamOptions extends Greeting {
  open(events: LinkEvents, signal: AbortSignal): Promise<Link>;
  /** Tried if HTTP answers the handshake like an old SSE server. */
  openFallback?(events: LinkEvents, signal: AbortSignal): Promise<Link>;
  /** Cancels the handshake. */
  signal?: AbortSignal;
  events: UpstreamEvents;
}

const SWEEP_MS = 500;
/** How many requests of one server may wait at the same time. */
const MOST_ASKED = 100;

/** A connection to one backend after the handshake: requests out, answers and related messages back. */
export class Upstream {
  #link!: Link;
  handshake!: Handshake;
  readonly #options: UpstreamOptions;
  readonly #pending = new InFlight<Pending>();
  readonly #asked = new Map<Id, AbortController>();
  readonly #taskCalls = new TaskCalls<Pending>();
  /** Cancelled calls that the backend has not answered. */
  readonly #givenUp = new Map<Id, { owner: string | undefined; until: number }>();
  readonly #sweeper: NodeJS.Timeout;
  #nextId = 1;
  #ended: AppError | undefined;
  #generation = 0;
  #noise = 0;
  readonly #handshaking = new AbortController();

  private constructor(options: UpstreamOptions) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  static async connect(options: UpstreamOptions): Promise<Upstream> {
    const upstream = new Upstream(options);
    const { signal, timeoutMs } = options;
    const onAbort = () => upstream.#giveUp(toAppError(signal?.reason));
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => upstream.#giveUp(silence(timeoutMs)), timeoutMs);
    try {
      if (signal?.aborted) onAbort();
      upstream.handshake = await upstream.#negotiate();
      upstream.#link.settled(upstream.handshake.version, upstream.handshake.era === 'modern');
      if (upstream.handshake.era === 'legacy') upstream.notify('notifications/initialized');
      return upstream;
    } catch (thrown) {
      await upstream.close();
      const error = toAppError(thrown);
      if (error.code !== 'timeout' || upstream.#noise === 0) throw error;
      const advice = `${upstream.#noise} of its messages were not MCP: its output must contain only MCP. Send logs to stderr.`;
      throw new AppError('timeout', `${error.message} ${advice}`, { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  get kind(): Link['kind'] {
    return this.#link.kind;
  }

  /** Whether a 2025 server can match an answer to its question: over HTTP it needs a session for that. */
  get canAsk(): boolean {
    return this.#link.kind !== 'http' || this.#link.hasSession === true;
  }

  get inFlight(): number {
    return this.#pending.size;
  }

  /** Why it ended, once it has. */
  get ended(): AppError | undefined {
    return this.#ended;
  }

  get pid(): number | undefined {
    return (this.#link as { pid?: number }).pid;
  }

  request(method: string, params: Json | undefined, call: UpstreamCall): Promise<Answer> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (call.stop?.aborted) return Promise.reject(toAppError(call.stop.reason));
    const id = this.#nextId++;
    const message: Request = { jsonrpc: '2.0', id, method, ...(params && { params }) };
    if (call.progressToken !== undefined && params) {
      message.params = { ...params, _meta: { ...(params._meta as Json | undefined), progressToken: id } };
    }
    return new Promise((resolve, reject) => {
      const { stop } = call;
      const onAbort = stop && (() => this.#cancel(id, toAppError(stop.reason)));
      // Set everything at once: with the function added later, a quarter of what calls allocate survived every minor
      // garbage collection (measured, not explained).
      this.#pending.set(id, { ...call, resolve, reject, deadline: Date.now() + call.idleMs, onAbort });
      if (onAbort) stop.addEventListener('abort', onAbort, { once: true });
      try {
        this.#link.send(message, call.headers);
      } catch (error) {
        this.#settle(id)?.reject(
          new AppError('invalid_input', `Cannot write the request as JSON: ${(error as Error).message}`),
        );
      }
    });
  }

  /** Asks a 2026 server again who it is and what it supports. */
  async renew(): Promise<void> {
    if (this.handshake.era === 'modern') this.handshake = (await discover(this, this.#options)) ?? this.handshake;
  }

  /** The task has ended: nothing more will come from it. */
  taskEnded(task: string): void {
    this.#taskCalls.ended(task);
  }

  notify(method: string, params?: Json): void {
    if (!this.#ended) this.#link.send({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#generation++;
    this.#end(new AppError('unavailable', 'The connection was closed.'));
    await this.#link?.close();
  }

  #giveUp(error: AppError): void {
    this.#handshaking.abort(error);
    this.#end(error);
  }

  async #negotiate(): Promise<Handshake> {
    const { open, openFallback } = this.#options;
    await this.#open(open);
    return negotiate(
      {
        kind: this.#link.kind,
        request: (method, params, call) => this.request(method, params, call),
        reopen: async () => {
          this.#handshaking.signal.throwIfAborted();
          if (!this.#ended) return;
          this.#ended = undefined;
          await this.#open(open);
        },
        fallBack:
          openFallback &&
          (async () => {
            await this.#link.close();
            await this.#open(openFallback);
          }),
      },
      this.#options,
    );
  }

  async #open(open: UpstreamOptions['open']): Promise<void> {
    const generation = ++this.#generation;
    const current = () => generation === this.#generation;
    const { signal } = this.#handshaking;
    signal.throwIfAborted();
    this.#link = await open(
      {
        message: (message, origin, text) => current() && this.#receive(message, origin, text),
        failed: (id, error) => current() && this.#settle(id)?.reject(error),
        noise: (what) => {
          this.#noise++;
          this.#options.events.noise(what);
        },
        closed: (error) => current() && this.#end(error),
      },
      signal,
    );
    signal.throwIfAborted();
  }

  #receive(message: Message, origin: Id | undefined, text: string | undefined): void {
    if (isResponse(message)) {
      const pending = message.id === null ? undefined : this.#settle(message.id);
      if (!pending) {
        if (message.id !== null && this.#givenUp.delete(message.id)) return;
        return this.#options.events.noise('an answer to nothing in flight');
      }
      const release = pending.holder?.hold && room.hold(text?.length ?? 0);
      if (release) pending.holder?.hold?.(release);
      if (message.error) return pending.resolve({ error: errorIn(message.error) });
      if (pending.progressToken !== undefined && message.id !== null)
        this.#taskCalls.answered(message.id, message.result, pending);
      const json = text === undefined ? undefined : resultText(message, text);
      return pending.resolve(
        json === undefined ? { result: message.result as Json } : { result: message.result as Json, json },
      );
    }
    if (isRequest(message)) return void this.#answer(message, origin);
    this.#notified(message.method, message.params ?? {}, origin);
  }

  #notified(method: string, params: Json, origin: Id | undefined): void {
    if (method === 'notifications/cancelled') return this.#asked.get(params.requestId as Id)?.abort();
    if (method === 'notifications/progress') {
      const pending = this.#pending.get(params.progressToken) ?? this.#ofTask(params.progressToken);
      if (!pending) return;
      this.#alive(pending);
      if (pending.progressToken !== undefined)
        pending.onNotification?.(method, { ...params, progressToken: pending.progressToken });
      return;
    }
    if (method === 'notifications/tasks/status') this.#taskHeard(params.taskId, params.status);
    const subscription = isObject(params._meta) ? params._meta[meta.subscriptionId] : undefined;
    const pending = this.#pending.get(origin ?? subscription);
    if (pending) {
      this.#alive(pending);
      return pending.onNotification?.(method, params);
    }
    // On a shared stream nothing says which call a log line belongs to: pass it to everyone with calls in flight.
    if (method === 'notifications/message' || method === 'notifications/elicitation/complete') {
      const newest = new Map(this.#pending.values().map((call) => [call.owner, call]));
      for (const call of newest.values()) call.onNotification?.(method, params);
      return;
    }
    this.#options.events.notification(method, params);
  }

  #ofTask(token: unknown): Pending | undefined {
    const known = this.#taskCalls.find(token);
    if (known) this.#taskHeard(known.task, undefined);
    return known?.call;
  }

  #taskHeard(task: unknown, status: unknown): void {
    for (const waiting of this.#pending.values())
      if (waiting.task !== undefined && waiting.task === task) this.#alive(waiting);
    if (isOver(status)) this.#taskCalls.ended(task);
  }

  async #answer(request: Request, origin: Id | undefined): Promise<void> {
    if (this.#asked.size >= MOST_ASKED) {
      const refusal = errorOutcome(
        code.server,
        `${MOST_ASKED} of your requests are waiting for answers. Wait for some of them.`,
      );
      return this.#link.send({ jsonrpc: '2.0', id: request.id, ...refusal });
    }
    const abort = new AbortController();
    this.#asked.set(request.id, abort);
    const outcome = await this.#ask(request, origin, abort.signal).catch(
      (error: unknown): Outcome => errorOutcome(code.internal, toAppError(error).message),
    );
    this.#asked.delete(request.id);
    if (!abort.signal.aborted && !this.#ended) this.#link.send({ jsonrpc: '2.0', id: request.id, ...outcome });
  }

  /** Only HTTP says which call a server's request belongs to. Elsewhere it must follow from who is calling. */
  async #ask({ method, params }: Request, origin: Id | undefined, signal: AbortSignal): Promise<Outcome> {
    if (method === 'ping') return { result: {} };
    const own = origin === undefined ? undefined : this.#pending.get(origin);
    if (origin !== undefined && !own)
      return errorOutcome(code.server, `The call that this ${method} belongs to has ended.`);
    const calls = own ? [own] : this.#pending.values().filter((pending) => pending.onAsk);
    const call = calls.at(-1);
    if (!call?.onAsk) return this.#options.events.ask(method, params);
    const suspects = own ? [own] : [...calls, ...this.#givenUp.values()];
    if (suspects.some((other) => other.owner !== call.owner)) {
      const message = `Several clients have calls in flight (or cancelled and unanswered) on this shared connection, so ${method} cannot be matched to one of them. Set "isolation: session" for this server.`;
      return errorOutcome(code.server, message);
    }
    // The backend cannot make progress while a user is being asked.
    for (const waiting of calls) waiting.deadline = Number.POSITIVE_INFINITY;
    const outcome = await call.onAsk(method, params, signal);
    for (const waiting of calls) this.#alive(waiting);
    return outcome;
  }

  #alive(pending: Pending): void {
    pending.deadline = Date.now() + pending.idleMs;
  }

  #cancel(id: Id, error: AppError): void {
    const pending = this.#settle(id);
    if (!pending) return;
    // 2026 HTTP cancels by closing the stream; everything else by sending a message.
    if (this.#link.kind !== 'http' || this.handshake?.era !== 'modern')
      this.notify('notifications/cancelled', { requestId: id, reason: error.message });
    this.#link.drop(id);
    // Not every server heeds it: as long as a call may be silent, a question may still belong to this one.
    if (pending.onAsk && this.handshake?.era === 'legacy') {
      this.#givenUp.set(id, { owner: pending.owner, until: Date.now() + pending.idleMs });
    }
    pending.reject(error);
  }

  #settle(id: Id): Pending | undefined {
    const pending = this.#pending.delete(id);
    if (!pending) return undefined;
    if (pending.onAbort) pending.stop?.removeEventListener('abort', pending.onAbort);
    return pending;
  }

  #sweep(): void {
    const now = Date.now();
    for (const [id, { until }] of this.#givenUp) if (until <= now) this.#givenUp.delete(id);
    if (this.#taskCalls.size > 0) this.#taskCalls.sweep(now);
    for (const [id, pending] of this.#pending.entries()) {
      if (pending.deadline > now) continue;
      // Its answer may be there, and we do not read it yet.
      if (room.isFull()) this.#alive(pending);
      else this.#cancel(id, silence(pending.idleMs));
    }
  }

  #end(error: AppError): void {
    if (this.#ended) return;
    this.#ended = error;
    for (const [id] of this.#pending.entries()) this.#settle(id)?.reject(error);
    for (const abort of this.#asked.values()) abort.abort();
    if (this.handshake) {
      clearInterval(this.#sweeper);
      this.#options.events.closed(error);
    }
  }
}

/** Completes an error, so that later code can rely on its fields. */
function errorIn(given: Partial<RpcError>): RpcError {
  if (Number.isSafeInteger(given.code) && typeof given.message === 'string') return given as RpcError;
  return {
    code: Number.isSafeInteger(given.code) ? (given.code as number) : code.internal,
    message: typeof given.message === 'string' ? given.message : 'The server returned an error without a message.',
    ...(given.data !== undefined && { data: given.data }),
  };
}

function silence(ms: number): AppError {
  return new AppError('timeout', `The server was silent for ${Math.round(ms / 1000)} s, so Sluice stopped waiting.`);
}

/** The result inside the text of a response, if the text has one of the two usual forms. */
function resultText(message: Message & { id?: unknown }, text: string): string | undefined {
  if (Object.keys(message).length !== 3) return undefined;
  const front = `{"jsonrpc":"2.0","id":${message.id},"result":`;
  if (text.startsWith(front)) return text.slice(front.length, -1);
  const back = `,"jsonrpc":"2.0","id":${message.id}}`;
  return text.startsWith('{"result":') && text.endsWith(back)
    ? text.slice('{"result":'.length, -back.length)
    : undefined;
}
