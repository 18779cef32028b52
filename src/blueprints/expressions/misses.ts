import type { Missed } from './scope-values.ts';
import type { NamesNear } from './why-not.ts';

const MOST = 100;

/** Remembers which keys were read and not there, for the error that may follow. */
export function createMisses(): { readonly add: Missed; readonly near: NamesNear; clear(): void } {
  const misses = new Map<string, () => readonly string[]>();
  return {
    add(key, names) {
      if (misses.size < MOST) misses.set(key, names);
    },
    near: (key) => misses.get(key)?.(),
    clear: () => misses.clear(),
  };
}
