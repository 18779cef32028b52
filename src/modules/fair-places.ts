import { type AppError, toAppError } from '../kernel/errors.ts';

/** Places that callers share. One caller never has them all. */
export interface FairPlaces {
  /** Waits for a place. Leave it by disposing what comes back. */
  take(caller: string, signal: AbortSignal): Promise<Disposable>;
}

export interface FairPlacesOptions {
  readonly all: number;
  /** How many one caller may have at a time. */
  readonly each: number;
  readonly patienceMs: number;
  /** Why there was none in time: the caller has its share, or others have all. */
  none(why: 'own' | 'others'): AppError;
}

interface Waiting {
  readonly caller: string;
  enter(place: Disposable): void;
}

/** Whoever waits comes in order; who has its share is passed over until one of its own places is free. */
export function fairPlaces({ all, each, patienceMs, none }: FairPlacesOptions): FairPlaces {
  const taken = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let free = all;

  const isAtShare = (caller: string) => (taken.get(caller) ?? 0) >= each;
  const mayEnter = (caller: string) => free > 0 && !isAtShare(caller);

  function place(caller: string): Disposable {
    free -= 1;
    taken.set(caller, (taken.get(caller) ?? 0) + 1);
    return { [Symbol.dispose]: () => leave(caller) };
  }

  function leave(caller: string): void {
    free += 1;
    const left = (taken.get(caller) ?? 0) - 1;
    if (left > 0) taken.set(caller, left);
    else taken.delete(caller);
    for (const next of waiting) {
      if (!mayEnter(next.caller)) continue;
      waiting.delete(next);
      next.enter(place(next.caller));
    }
  }

  return {
    async take(caller, signal) {
      signal.throwIfAborted();
      if (mayEnter(caller)) return place(caller);
      const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
      const mine: Waiting = { caller, enter: resolve };
      waiting.add(mine);
      // At once: who has given up must not get a place.
      const giveUp = (why: AppError) => {
        waiting.delete(mine);
        reject(why);
      };
      const stop = () => giveUp(toAppError(signal.reason));
      const patience = setTimeout(() => giveUp(none(isAtShare(caller) ? 'own' : 'others')), patienceMs);
      signal.addEventListener('abort', stop, { once: true });
      return await promise.finally(() => {
        clearTimeout(patience);
        signal.removeEventListener('abort', stop);
      });
    },
  };
}
