import { messageOf } from '../../kernel/errors.ts';
import { backoff } from '../../kernel/retry.ts';

export interface WorkState {
  readonly state: 'starting' | 'ready' | 'failing';
  readonly since: number;
  readonly lastError?: { readonly message: string; readonly at: string };
  readonly retryAt?: number;
}

export interface BackgroundWork extends AsyncDisposable {
  /** There is something to do. While it fails, the next attempt does it; `now` does not wait for that. */
  due(when?: 'now'): void;
  state(): WorkState;
}

export interface Told {
  failed(reason: string): void;
  /** `ms`: how long it failed. */
  recovered(ms: number): void;
}

const WAIT = { first: 1000, most: 300_000 };

/** Runs work when it is due, never twice at a time. Retries it with back-off, and tells when it fails and recovers. */
export function createBackgroundWork(
  work: (signal: AbortSignal) => Promise<void>,
  told: Told,
  redact: (text: string) => string,
  wait: { first: number; most: number } = WAIT,
): BackgroundWork {
  const stop = new AbortController();
  let state: WorkState = { state: 'starting', since: Date.now() };
  let failures = 0;
  let isDue = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    while (isDue && !stop.signal.aborted) {
      isDue = false;
      try {
        await work(stop.signal);
        succeeded();
      } catch (error) {
        if (!stop.signal.aborted) failed(redact(messageOf(error)));
        return;
      }
    }
  }

  function succeeded(): void {
    failures = 0;
    if (state.state === 'ready') return;
    if (state.state === 'failing') told.recovered(Date.now() - state.since);
    state = { state: 'ready', since: Date.now() };
  }

  function failed(message: string): void {
    failures++;
    const isNew = state.state !== 'failing';
    const ms = backoff(failures, wait);
    state = {
      state: 'failing',
      since: isNew ? Date.now() : state.since,
      lastError: { message, at: new Date().toISOString() },
      retryAt: Date.now() + ms,
    };
    isDue = true;
    timer = setTimeout(() => {
      timer = undefined;
      start();
    }, ms).unref();
    if (isNew) told.failed(message);
  }

  function start(): void {
    if (running || timer || stop.signal.aborted) return;
    running = run().finally(() => {
      running = undefined;
      // Something became due after the last look.
      if (isDue) start();
    });
  }

  return {
    due(when) {
      isDue = true;
      if (when === 'now') {
        clearTimeout(timer);
        timer = undefined;
      }
      start();
    },
    state: () => state,
    async [Symbol.asyncDispose]() {
      stop.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
