import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../kernel/errors.ts';
import type { Presence } from '../../kernel/presence.ts';
import { saysItStarts } from './starting.ts';

/** Shorter than most clients wait for an answer: they get to read why. */
export const START_WAIT_MS = 55_000;
const LOOK_MS = 500;
const ANSWER_MS = 5000;

export function stillStarting(name: string, what: string): AppError {
  const seconds = START_WAIT_MS / 1000;
  return new AppError(
    'unavailable',
    `n8n (${name}) is still ${what} after ${seconds} s, so nothing was run. Try again in a minute.`,
  );
}

/** An n8n that somebody else looks after. Only one that says itself that it is starting is waited for. */
export function addressPresence(name: string, url: string): Presence {
  return {
    isUp: () => true,
    async untilUp(signal, onWait) {
      for (const until = Date.now() + START_WAIT_MS; await isStarting(url, signal); ) {
        if (Date.now() > until) throw stillStarting(name, 'starting');
        onWait?.();
        await delay(LOOK_MS, undefined, { signal });
      }
    },
  };
}

/** One that does not answer at all is left to whoever wants something of it, and says it better. */
async function isStarting(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const answer = await fetch(`${url.replace(/\/+$/, '')}/healthz/readiness`, { signal: limit, redirect: 'manual' });
    return answer.status === 503 || saysItStarts(await answer.text());
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
