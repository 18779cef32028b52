import { setTimeout as delay } from 'node:timers/promises';

/** How often n8n is asked whether it is there, and how many times in a row it may give no answer. */
export interface Heartbeat {
  readonly everyMs: number;
  readonly misses: number;
}

/** Two minutes without a word: one that is only busy answers now and then. */
export const HEARTBEAT: Heartbeat = { everyMs: 15_000, misses: 8 };

/** A wait that took this much longer than it should: the machine was asleep, or this process had no time. */
const LATE_MS = 5000;

interface Means {
  /** Settles with whether it said anything at all. */
  ask(signal: AbortSignal): Promise<boolean>;
  now?(): number;
  wait?(ms: number, signal: AbortSignal): Promise<unknown>;
}

/**
 * Settles when an n8n that was ready is there and does not answer any more. An answer that comes late counts: only one
 * that gives none at all hangs. Fails when the signal ends it.
 */
export async function untilHung(
  { everyMs, misses }: Heartbeat,
  signal: AbortSignal,
  { ask, now = Date.now, wait = pause }: Means,
): Promise<string> {
  let heard = false;
  for (let missed = 0; missed < misses; ) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(everyMs * misses)]);
    void ask(limit).then(
      (answered) => (heard ||= answered),
      () => {},
    );
    const began = now();
    await wait(everyMs, signal);
    // After a sleep n8n gets all the time anew: it slept, too.
    const wasAway = now() - began > everyMs + LATE_MS;
    missed = heard || wasAway ? 0 : missed + 1;
    heard = false;
  }
  return `n8n did not answer for ${Math.round((everyMs * misses) / 1000)} s, so it was ended.`;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal });

/** Whatever it says, it is there: whether it is well is for others to judge. */
export async function saysAnything(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    await (await fetch(`${url}/healthz`, { signal })).body?.cancel();
    return true;
  } catch {
    return false;
  }
}
