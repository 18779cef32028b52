import { setTimeout as delay } from 'node:timers/promises';
import { AppError, toAppError } from '../kernel/errors.ts';
import { IDLE_MS } from '../kernel/kept-while-used.ts';
import { type Framing, limitMessages } from '../kernel/message-limit.ts';
import { followSent } from './sent.ts';

/** A connection may say that it has ended: then the next call gets a new one, and nothing is sent over this one. */
export type Connected = AsyncDisposable & { readonly isLost?: boolean };

export interface ConnectionOptions<C extends Connected> {
  /** The service with its place, such as `redis at 127.0.0.1:6379`. */
  readonly at: string;
  /** Where its section is in the file. */
  readonly setting: string;
  readonly timeoutMs: number;
  readonly idleMs?: number | undefined;
  readonly framing?: Framing | undefined;
  connect(signal: AbortSignal): Promise<C>;
  /** What went wrong, for whoever can act on it. */
  explain(error: unknown): AppError;
  /** Called after each attempt, with why it failed. Mistakes of the caller are no failure. */
  settled(failure: AppError | undefined): void;
}

export interface Use {
  readonly signal: AbortSignal;
  /** Whether doing it twice is harmless: then a connection that broke is replaced, and the work done once more. */
  readonly repeatable: boolean;
}

export interface KeptConnection<C> extends AsyncDisposable {
  use<T>(work: (connection: C, signal: AbortSignal) => Promise<T>, use: Use): Promise<T>;
}

interface Held<C> {
  readonly opening: Promise<C>;
  connection?: C;
  users: number;
  /** Whether it is closed as soon as nobody uses it. */
  leaving: boolean;
}

const CONNECT_MS = 10_000;

/**
 * One connection (or pool) to a service: opened by the first call, replaced when it breaks, closed when nobody has used
 * it for a while. No call takes longer than it may, whatever the driver does.
 */
export function keptConnection<C extends Connected>(options: ConnectionOptions<C>): KeptConnection<C> {
  const { at, setting, timeoutMs, idleMs = IDLE_MS, framing } = options;
  let current: Held<C> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const closing = new Set<Promise<void>>();

  function open(): Held<C> {
    const signal = AbortSignal.timeout(Math.min(CONNECT_MS, timeoutMs));
    const held: Held<C> = {
      opening: within(
        limitMessages(framing, () => options.connect(signal)),
        signal,
        () => slow(Math.min(CONNECT_MS, timeoutMs)),
      ),
      users: 0,
      leaving: false,
    };
    held.opening.then(
      (connection) => {
        held.connection = connection;
      },
      () => {},
    );
    return held;
  }

  const slow = (ms: number) =>
    new AppError('timeout', `${at} does not answer: connecting took longer than ${ms / 1000} s. Check ${setting}.`);

  /** Others may still use it. */
  function leave(held: Held<C>): void {
    if (current === held) current = undefined;
    held.leaving = true;
    closeIfFree(held);
  }

  function closeIfFree(held: Held<C>): void {
    if (!held.leaving || held.users > 0) return;
    const done: Promise<void> = held.opening
      .then(async (connection) => {
        // A driver may wait for a server that does not answer.
        await Promise.race([connection[Symbol.asyncDispose](), delay(CONNECT_MS, undefined, { ref: false })]);
      })
      .catch(() => {})
      .finally(() => closing.delete(done));
    closing.add(done);
  }

  async function once<T>(
    held: Held<C>,
    work: (connection: C, signal: AbortSignal) => Promise<T>,
    { signal: asked, repeatable }: Use,
  ): Promise<T> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([asked, deadline]);
    const sent = followSent();
    let begun = false;
    held.users += 1;
    clearTimeout(timer);
    try {
      const connection = await within(held.opening, asked, () => toAppError(asked.reason));
      begun = true;
      const result = await within(
        sent.run(() => limitMessages(framing, () => work(connection, signal))),
        signal,
        () => (asked.aborted ? toAppError(asked.reason) : tookTooLong()),
      );
      options.settled(undefined);
      return result;
    } catch (error) {
      if (asked.aborted) throw error;
      const failure = deadline.aborted && begun ? tookTooLong() : options.explain(error);
      const isLost = failure.code === 'unavailable' || failure.code === 'timeout';
      // One that did not open is tried again by the next call, whatever the reason.
      const isBroken = !begun || isLost;
      if (isBroken) leave(held);
      options.settled(isBroken ? failure : undefined);
      if (!isLost || repeatable) throw failure;
      const { code, message, data } = failure;
      if (!begun || sent.isNothing())
        throw new AppError(code, `${message} Nothing was changed, so you can repeat the call.`, {
          cause: failure,
          data: { ...data, notExecuted: true },
        });
      throw new AppError(code, `${message} The call may or may not have taken effect: check before you repeat it.`, {
        cause: failure,
      });
    } finally {
      held.users -= 1;
      closeIfFree(held);
      idle();
    }
  }

  const tookTooLong = () =>
    new AppError(
      'timeout',
      `${at} took longer than ${timeoutMs / 1000} s, and the call was stopped. Ask for less, or raise ${setting}.timeout.`,
      { saysWhen: true },
    );

  function idle(): void {
    clearTimeout(timer);
    if (!current || current.users > 0) return;
    const held = current;
    timer = setTimeout(() => leave(held), idleMs).unref();
  }

  return {
    async use(work, use) {
      use.signal.throwIfAborted();
      if (current?.connection?.isLost) leave(current);
      const isNew = current === undefined;
      const held = (current ??= open());
      try {
        return await once(held, work, use);
      } catch (error) {
        // The connection may have waited for its next use while the service restarted.
        const isStale = !isNew && error instanceof AppError && error.code === 'unavailable';
        if (!isStale || !use.repeatable || use.signal.aborted) throw error;
        return await once((current ??= open()), work, use);
      }
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      if (current) leave(current);
      await Promise.all(closing);
    },
  };
}

/** Does not wait longer than the signal allows, even if the work ignores it. */
async function within<T>(work: Promise<T>, signal: AbortSignal, reason: () => AppError): Promise<T> {
  work.catch(() => {});
  if (signal.aborted) throw reason();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(reason());
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
    aborted.catch(() => {});
  }
}
