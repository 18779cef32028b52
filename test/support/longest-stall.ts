import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

/** The longest time in milliseconds for which nothing else could run in this process while the work was done. */
export async function longestStall<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  try {
    const result = await work();
    // What stalled last is noticed in the next turn.
    await setImmediate();
    return { result, ms: delay.max / 1e6 };
  } finally {
    delay.disable();
  }
}
