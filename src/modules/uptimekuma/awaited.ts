import type { Lost } from './explain.ts';

/** Waits for conditions that change only when `look` is called. */
export interface Awaited {
  look(): void;
  /** Resolves with whether the condition came true in this time. */
  until(condition: () => boolean, ms: number, signal: AbortSignal): Promise<boolean>;
  /** Everybody who waits gets this error. */
  end(error: Lost): void;
}

export function createAwaited(): Awaited {
  const waiting = new Set<{ look(): void; end(error: Lost): void }>();
  return {
    look() {
      for (const one of waiting) one.look();
    },
    end(error) {
      for (const one of waiting) one.end(error);
    },
    async until(condition, ms, signal) {
      signal.throwIfAborted();
      if (condition()) return true;
      const { promise, resolve, reject } = Promise.withResolvers<boolean>();
      const one = { look: () => void (condition() && resolve(true)), end: reject };
      const stop = () => reject(signal.reason);
      const timer = setTimeout(() => resolve(false), ms);
      signal.addEventListener('abort', stop, { once: true });
      waiting.add(one);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        waiting.delete(one);
      }
    },
  };
}
