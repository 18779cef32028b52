import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../kernel/errors.ts';
import type { Presence } from '../../kernel/presence.ts';
import { bodyOf } from './body.ts';
import { saysItStarts } from './starting.ts';

/** Shorter than the timeout of most clients, so that they see the error. */
export const START_WAIT_MS = 55_000;
const LOOK_MS = 500;
const ANSWER_MS = 5000;
const MOST_READ = 64 * 1024;

export function stillStarting(name: string, what: string): AppError {
  const seconds = START_WAIT_MS / 1000;
  return new AppError(
    'unavailable',
    `n8n (${name}) is still ${what} after ${seconds} s, so nothing was run. Try again in a minute.`,
  );
}

/** For an n8n that Sluice does not run: waits only while n8n itself says that it is starting. */
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

/** False if n8n does not answer at all: the request that follows gives a better error. */
async function isStarting(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const answer = await fetch(`${url.replace(/\/+$/, '')}/healthz/readiness`, { signal: limit, redirect: 'manual' });
    return answer.status === 503 || saysItStarts((await bodyOf(answer, MOST_READ)) ?? '');
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
