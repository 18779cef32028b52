import type { Instance } from './instance.ts';

const FIRST_MS = 5_000;
const LONGEST_MS = 60_000;
const ANSWER_MS = 5_000;

/**
 * Looks once whether something listens where the service should be, so that the status can say so before anybody calls
 * a tool. While nothing does, it looks again, less and less often.
 */
export function watched(instance: Pick<Instance, 'reach'>, stopping: AbortSignal): Disposable & { begin(): void } {
  const ended = new AbortController();
  let begun = false;

  function look(pause: number): void {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(ANSWER_MS)]);
    instance.reach(signal).catch(() => {
      if (ended.signal.aborted || stopping.aborted) return;
      const timer = setTimeout(() => look(Math.min(LONGEST_MS, pause * 2)), pause).unref();
      ended.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    });
  }

  return {
    begin() {
      if (begun) return;
      begun = true;
      look(FIRST_MS);
    },
    [Symbol.dispose]: () => ended.abort(),
  };
}
