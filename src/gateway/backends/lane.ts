import type { Stop } from '../../kernel/cancellation.ts';
import { AppError, toAppError } from '../../kernel/errors.ts';
import { needsLogin } from '../../wire/credentials.ts';
import type { Upstream } from '../../wire/upstream.ts';
import { createCompanion } from './companion.ts';

export type LaneState =
  | { state: 'stopped' }
  | { state: 'starting'; since: number; attempt: Promise<void> }
  | { state: 'running'; since: number; upstream: Upstream; degraded?: AppError }
  | { state: 'failed'; since: number; error: AppError; retryAt: number };

export interface LaneOptions {
  connect(signal: AbortSignal): Promise<Upstream>;
  /** Opens a second connection in 2025 beside one of 2026; undefined if the server does not speak both. */
  connectLegacy?(signal: AbortSignal): Promise<Upstream | undefined>;
  /** One request that shows the backend is alive. */
  check(upstream: Upstream): Promise<void>;
  onState(state: LaneState, previous: LaneState): void;
  healthMs: number;
}

const FIRST_BACKOFF = 500;
const MAX_BACKOFF = 60_000;
const HEALTHY_AFTER = 30_000;
const BREAKER_STRIKES = 5;
const BREAKER_COOLDOWN = 10_000;
const ON_DEMAND_PAUSE = 2000;
const HEALTH_STRIKES = 2;
const LEFT_MS = 200;

/** One supervised connection: starts it, checks it, restarts it with back-off, and stops it. */
export class Lane {
  state: LaneState = { state: 'stopped' };
  restarts = 0;
  /** The URL that it uses; undefined if the server does not have several. */
  url: string | undefined;
  /** Calls that use it or wait for it. Sluice's own requests do not count. */
  calls = 0;
  /** Why it does not work, also while it tries again; undefined while it works, and before its first attempt ended. */
  trouble: AppError | undefined;
  readonly #options: LaneOptions;
  readonly #companion: ReturnType<typeof createCompanion> | undefined;
  #failures = 0;
  #strikes = 0;
  #missedChecks = 0;
  #pauseUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #health: NodeJS.Timeout | undefined;
  #stopping: AbortController | undefined;
  #stops = 0;
  /** Connections that are no longer used, but still have calls in flight. */
  readonly #left = new Set<Upstream>();

  constructor(options: LaneOptions) {
    this.#options = options;
    const { connectLegacy, check } = options;
    this.#companion = connectLegacy && createCompanion({ connect: connectLegacy, check });
  }

  get busy(): number {
    const own = this.state.state === 'running' ? this.state.upstream.inFlight : 0;
    return own + (this.#companion?.current()?.inFlight ?? 0);
  }

  /** Every open connection, its own first. */
  get connections(): Upstream[] {
    const companion = this.#companion?.current();
    return [...(this.state.state === 'running' ? [this.state.upstream] : []), ...(companion ? [companion] : [])];
  }

  /** Settles when the first attempt has succeeded or failed. */
  start(after?: Promise<void>): Promise<void> {
    if (this.state.state === 'starting') return this.state.attempt;
    if (this.state.state === 'running' && !after) return Promise.resolve();
    clearTimeout(this.#timer);
    this.#stopping ??= new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#enter({ state: 'starting', since: Date.now(), attempt: promise });
    void this.#attempt(this.#stopping.signal, after).then(resolve);
    return promise;
  }

  async #attempt(signal: AbortSignal, after: Promise<void> | undefined): Promise<void> {
    try {
      await after;
      const upstream = await this.#options.connect(signal);
      if (signal.aborted) return await upstream.close();
      this.#strikes = 0;
      this.#missedChecks = 0;
      this.#enter({ state: 'running', since: Date.now(), upstream });
      this.#health = setInterval(() => void this.#check(upstream), this.#options.healthMs);
      this.#health.unref();
      if (upstream.ended) this.lost(upstream, upstream.ended);
    } catch (error) {
      if (signal.aborted) return;
      this.#pauseUntil = Date.now() + ON_DEMAND_PAUSE;
      this.#fail(toAppError(error));
    }
  }

  /** The connection is lost. The first restart is immediate; later ones back off, and never give up. */
  lost(upstream: Upstream, error: AppError): void {
    this.#companion?.lost(upstream);
    if (this.state.state !== 'running' || this.state.upstream !== upstream) return;
    // The next connection may be to another URL.
    const beside = this.url === undefined ? undefined : this.#companion?.leave();
    if (beside) this.#leave(beside);
    if (Date.now() - this.state.since > HEALTHY_AFTER) this.#failures = 0;
    clearInterval(this.#health);
    this.restarts++;
    // It has run before, so a call may start it at once.
    this.#pauseUntil = 0;
    this.#fail(error);
  }

  /**
   * A call could not reach the server over this connection, and other URLs can take its place: connects anew, with
   * back-off. Other calls over it may still be answered, for example by a server that is shutting down, so it closes
   * after them.
   */
  unreachable(upstream: Upstream, error: AppError): void {
    if (this.state.state !== 'running' || this.state.upstream !== upstream) return;
    this.#leave(upstream);
    this.lost(upstream, error);
  }

  #leave(upstream: Upstream): void {
    this.#left.add(upstream);
    const look = () => {
      if (!upstream.ended && upstream.inFlight > 0 && this.#left.has(upstream))
        return void setTimeout(look, LEFT_MS).unref();
      this.#left.delete(upstream);
      void upstream.close();
    };
    look();
  }

  /** Waits for a usable connection. Fails with what to do if there will be none soon. */
  async ready(signal: Stop): Promise<Upstream> {
    for (;;) {
      if (this.state.state === 'running') {
        if (this.#strikes < BREAKER_STRIKES) return this.state.upstream;
        throw new AppError(
          'unavailable',
          'The server keeps failing, so Sluice pauses calls to it for a few seconds. Try again then.',
          { data: retryAfter(this.#pauseUntil), saysWhen: true },
        );
      }
      if (signal.aborted) throw toAppError(signal.reason);
      if (this.state.state === 'stopped') throw new AppError('unavailable', 'The server is stopped.');
      if (this.state.state === 'failed') {
        const { error, retryAt } = this.state;
        // It starts when somebody has signed in; trying earlier is useless.
        if (needsLogin(error)) throw error;
        const next = Math.min(retryAt, this.#pauseUntil);
        if (next > Date.now()) {
          const data = retryAfter(next);
          throw new AppError(
            'unavailable',
            `The server is not running: ${error.message.replace(/[.\s]+$/, '')}. Try again in ${data.retryAfter} s.`,
            { cause: error, data, saysWhen: true },
          );
        }
        await abortable(this.start(), signal);
        // A failed attempt is the answer. Otherwise look at the state again.
        const after: LaneState = this.state;
        if (after.state === 'failed' && needsLogin(after.error)) throw after.error;
        if (after.state === 'failed')
          throw new AppError('unavailable', `The server could not be started: ${after.error.message}`, {
            cause: after.error,
            data: retryAfter(Math.min(after.retryAt, this.#pauseUntil)),
          });
        continue;
      }
      await abortable(this.state.attempt, signal);
    }
  }

  /** The 2025 connection beside its own; undefined if it is not available. Call `ready` first. */
  legacy(signal: Stop): Promise<Upstream | undefined> | Upstream | undefined {
    if (this.state.state !== 'running') return undefined;
    const opened = this.#companion?.open();
    return opened instanceof Promise ? abortable(opened, signal) : opened;
  }

  closeIdle(ms: number): void {
    this.#companion?.closeIfIdle(ms);
  }

  get waitsForLogin(): boolean {
    return this.state.state === 'failed' && needsLogin(this.state.error);
  }

  /** Starts it, if it waited for somebody to sign in. */
  signedIn(): void {
    if (!this.waitsForLogin) return;
    this.#failures = 0;
    void this.start();
  }

  succeeded(): void {
    if (this.#strikes === 0) return;
    this.#strikes = 0;
    if (this.state.state === 'running' && this.state.degraded !== undefined) {
      clearTimeout(this.#timer);
      const { degraded: _, ...running } = this.state;
      this.#enter(running);
    }
  }

  /** A call failed. Several in a row open the circuit breaker; its probe is a new connection. */
  strike(error: AppError): void {
    this.#strikes++;
    if (this.#strikes === BREAKER_STRIKES) this.#degrade(error, BREAKER_COOLDOWN);
  }

  async stop(): Promise<void> {
    this.#stops++;
    clearTimeout(this.#timer);
    clearInterval(this.#health);
    this.#stopping?.abort(new AppError('unavailable', 'The server is being stopped.'));
    this.#stopping = undefined;
    const { state } = this;
    this.#failures = 0;
    this.#enter({ state: 'stopped' });
    const companion = this.#companion?.close();
    const left = [...this.#left].map((upstream) => upstream.close());
    this.#left.clear();
    if (state.state === 'running') await state.upstream.close();
    if (state.state === 'starting') await state.attempt;
    await Promise.all([companion, ...left]);
  }

  async restart(): Promise<void> {
    const stopped = this.stop();
    const stops = this.#stops;
    await stopped;
    // If somebody stopped it meanwhile, it stays stopped.
    if (stops !== this.#stops) return;
    this.restarts++;
    await this.start();
  }

  #fail(error: AppError): void {
    const ceiling = Math.min(MAX_BACKOFF, FIRST_BACKOFF * 2 ** (this.#failures - 1));
    const pause = this.#failures === 0 ? 0 : Math.round(ceiling * (0.5 + Math.random() / 2));
    const wait = needsLogin(error) ? Number.POSITIVE_INFINITY : pause;
    this.#failures++;
    this.#enter({ state: 'failed', since: Date.now(), error, retryAt: Date.now() + wait });
    clearTimeout(this.#timer);
    if (wait === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => void this.start(), wait);
    this.#timer.unref();
  }

  #degrade(error: AppError, afterMs: number): void {
    if (this.state.state !== 'running') return;
    const { upstream } = this.state;
    this.#pauseUntil = Date.now() + afterMs;
    this.#enter({ ...this.state, degraded: error });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#probe(upstream), afterMs);
    this.#timer.unref();
  }

  async #probe(upstream: Upstream): Promise<void> {
    if (this.state.state !== 'running' || this.state.upstream !== upstream) return;
    clearInterval(this.#health);
    this.restarts++;
    await this.start(Promise.all([upstream.close(), this.#companion?.close()]).then(() => {}));
  }

  async #check(upstream: Upstream): Promise<void> {
    void this.#companion?.check();
    try {
      await this.#options.check(upstream);
      this.#missedChecks = 0;
    } catch (error) {
      if (this.state.state !== 'running' || this.state.upstream !== upstream) return;
      this.#missedChecks++;
      if (this.#missedChecks !== HEALTH_STRIKES) return;
      const { code, message } = toAppError(error);
      this.#degrade(new AppError(code, `health checks fail: ${message}`, { cause: error }), 0);
    }
  }

  #enter(state: LaneState): void {
    const previous = this.state;
    this.state = state;
    if (state.state !== 'starting') this.trouble = troubleOf(state);
    this.#options.onState(state, previous);
  }
}

function troubleOf(state: LaneState): AppError | undefined {
  if (state.state === 'failed') return state.error;
  return state.state === 'running' ? state.degraded : undefined;
}

/** In whole seconds, like the header Retry-After that REST makes of it. */
function retryAfter(until: number): { retryAfter: number } {
  return { retryAfter: Math.max(1, Math.ceil((until - Date.now()) / 1000)) };
}

function abortable<T>(promise: Promise<T>, signal: Stop): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(toAppError(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
