import { setTimeout as delay } from 'node:timers/promises';

/** How often to ask n8n for an answer, and how many answers in a row may be missing. */
export interface Heartbeat {
  readonly everyMs: number;
  readonly misses: number;
}

/** Two minutes without an answer. An n8n that is only busy answers now and then. */
export const HEARTBEAT: Heartbeat = { everyMs: 15_000, misses: 8 };

/** If a wait took this much too long, the machine was asleep or this process was blocked. */
const LATE_MS = 5000;

interface Means {
  /** Resolves to whether n8n answered at all. */
  ask(signal: AbortSignal): Promise<boolean>;
  now?(): number;
  wait?(ms: number, signal: AbortSignal): Promise<unknown>;
}

/**
 * Resolves with the reason when an n8n that was ready no longer answers. A late answer counts: only an n8n that gives
 * none at all hangs. Rejects when the signal aborts.
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
    // n8n was asleep too, so it gets the full time again.
    const wasAway = now() - began > everyMs + LATE_MS;
    missed = heard || wasAway ? 0 : missed + 1;
    heard = false;
  }
  return `n8n did not answer for ${Math.round((everyMs * misses) / 1000)} s, so Sluice stopped it.`;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal });

/** Any answer counts, even an error: this only checks whether n8n hangs. */
export async function saysAnything(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    await (await fetch(`${url}/healthz`, { signal })).body?.cancel();
    return true;
  } catch {
    return false;
  }
}
