import { setImmediate as turn } from 'node:timers/promises';

/** Others wait for no longer than this. */
const SLICE_MS = 8;

/** Lets others run in between the pieces of long work: await what it returns after each piece. */
export type Pace = () => Promise<void>;

export function createPace(): Pace {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await turn();
    since = performance.now();
  };
}
