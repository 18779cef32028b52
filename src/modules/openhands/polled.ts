import { setTimeout as delay } from 'node:timers/promises';

const FIRST_MS = 200;
const MOST_MS = 5000;

/** Asks again and again until `isDone`, or the time is over: then returns what it saw last. */
export async function polled<T>(
  look: (turn: number) => Promise<T>,
  { isDone, mostMs, signal }: { isDone(seen: T): boolean; readonly mostMs: number; readonly signal: AbortSignal },
): Promise<T> {
  const until = Date.now() + mostMs;
  for (let turn = 1, wait = FIRST_MS; ; turn += 1, wait = Math.min(MOST_MS, wait * 1.5)) {
    const seen = await look(turn);
    if (isDone(seen) || Date.now() + wait > until) return seen;
    await delay(wait, undefined, { signal });
  }
}

/** The part of a call's time in which it may wait: an answer is better than a time-out. */
export const mostWait = (timeoutMs: number): number => timeoutMs * 0.8;
