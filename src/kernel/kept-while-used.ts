import { giveBack } from './give-back.ts';

/** What can be read or computed again is dropped after this time without use. */
export const IDLE_MS = 2 * 60_000;

/** A value that takes memory, and that can be loaded again. */
export interface KeptWhileUsed<T> {
  /** Loads it if it was forgotten. Two callers of an asynchronous load share it. */
  get(): T;
  /** The value if it is loaded. Does not count as use. */
  peek(): T | undefined;
  forget(): void;
}

/**
 * Loads a value on demand and forgets it when nobody has used it for a while. Who holds the value can go on using it:
 * forgetting only drops the reference. The timer does not keep the process alive.
 */
export function keptWhileUsed<T>(load: () => T, idleMs: number = IDLE_MS): KeptWhileUsed<T> {
  let kept: { readonly value: T } | undefined;
  let usedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function forget(): void {
    kept = undefined;
    clearTimeout(timer);
    timer = undefined;
  }

  /** Uses only note the time: resetting a timer at each would cost more than they do. */
  function look(): void {
    const left = usedAt + idleMs - performance.now();
    if (left > 0) {
      timer = setTimeout(look, left).unref();
      return;
    }
    forget();
    giveBack();
  }

  return {
    get() {
      usedAt = performance.now();
      if (!kept) {
        const loaded = { value: load() };
        kept = loaded;
        // A failed load is not kept: the next caller tries again.
        if (loaded.value instanceof Promise) loaded.value.catch(() => kept === loaded && forget());
      }
      timer ??= setTimeout(look, idleMs).unref();
      return kept.value;
    },
    peek: () => kept?.value,
    forget,
  };
}
