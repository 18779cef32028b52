import { AppError, toAppError } from '../kernel/errors.ts';

/** How many callers may wait for a place. */
const MOST_WAITING = 100;

/** Runs at most `places` pieces of work at a time. The others wait in order. */
export interface AtMost {
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** `at` is the service with its place; `setting` is where the number of places is in the file. */
export function atMost(places: number, at: string, setting: string): AtMost {
  const waiting = new Set<() => void>();
  let free = places;

  async function enter(signal: AbortSignal): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (waiting.size >= MOST_WAITING)
      throw new AppError(
        'rate_limited',
        `${at} is busy: ${places} calls run and ${MOST_WAITING} wait. Try again later, or raise ${setting}.`,
      );
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stop = () => {
      waiting.delete(resolve);
      reject(toAppError(signal.reason));
    };
    waiting.add(resolve);
    signal.addEventListener('abort', stop, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', stop));
  }

  /** Hands the place to the first that waits. */
  function leave(): void {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    async run(work, signal) {
      signal.throwIfAborted();
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
