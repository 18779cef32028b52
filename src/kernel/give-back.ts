import { performance } from 'node:perf_hooks';

/** How long the process must have been quiet: collecting stops it for a tenth of a second or two. */
const QUIET_MS = 2000;
/** A quiet process spends at most this share of its time working. */
const QUIET = 0.1;

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

export interface GivingBack {
  readonly quietMs: number;
  /** Starts to measure; the result is the share of the time since then that was spent working. */
  measure(): () => number;
  collect(): void;
}

/** Collects once after it was asked to, as soon as the process is quiet. */
export function createGiveBack({ quietMs, measure, collect }: GivingBack): () => void {
  let waiting: NodeJS.Timeout | undefined;

  function wait(): NodeJS.Timeout {
    const worked = measure();
    return setTimeout(() => {
      const isQuiet = worked() < QUIET;
      waiting = isQuiet ? undefined : wait();
      if (isQuiet) collect();
    }, quietMs).unref();
  }

  return () => {
    waiting ??= wait();
  };
}

/**
 * Returns unused memory to the system as soon as the process is quiet. Call it after dropping something large: V8 collects
 * garbage when it allocates, so an idle process would keep it.
 */
export const giveBack = createGiveBack({
  quietMs: QUIET_MS,
  measure() {
    const before = performance.eventLoopUtilization();
    return () => performance.eventLoopUtilization(before).utilization;
  },
  collect: () => void collectGarbage(),
});

/**
 * Collects everything, gives up the room that V8 keeps for new objects, and forgets compiled code: functions that are called
 * again are compiled again, in a few milliseconds.
 */
export async function collectGarbage(): Promise<void> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')]);
  // Node has no API for this. The flags are reset at once, so that code in a sandbox gets no `gc`.
  const flags = ['expose-gc', 'flush-baseline-code', 'stress-flush-code'];
  for (const flag of flags) setFlagsFromString(`--${flag}`);
  const collect = runInNewContext("typeof gc === 'function' ? gc : undefined") as Collect | undefined;
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  for (const flag of flags) setFlagsFromString(`--no-${flag}`);
}
