import { setTimeout as delay } from 'node:timers/promises';
import { AppError, toAppError } from '../kernel/errors.ts';
import type { Progress } from '../kernel/progress.ts';
import { HttpError } from './http.ts';

export interface Patience {
  /** The service with its place, such as `github at api.github.com:443`. */
  readonly at: string;
  readonly signal: AbortSignal;
  readonly progress?: Progress | undefined;
  /** How long the service asks to wait, in milliseconds; undefined if the error is about something else. */
  waitOf?(error: HttpError): number | undefined;
  /** Waits no longer than this in all. */
  readonly mostMs?: number;
}

const MOST_MS = 15_000;
/** If it does not say how long. */
const USUAL_MS = 2_000;
/** The last time that a date can hold: a service may ask for nonsense. */
const LAST_DAY_MS = 8.64e15;

/**
 * Does the work again after a service has limited its requests: waits as long as it asks, if that is short, and tells the
 * caller so. Otherwise the error says when to try again. A request that was limited had no effect.
 */
export async function untilAllowed<T>(work: () => Promise<T>, patience: Patience): Promise<T> {
  const { at, signal, progress, waitOf = usualWait, mostMs = MOST_MS } = patience;
  let left = mostMs;
  for (let turn = 1; ; turn += 1) {
    try {
      return await work();
    } catch (error) {
      const wait = error instanceof HttpError ? waitOf(error) : undefined;
      if (wait === undefined) throw error;
      const ms = Math.max(100, wait);
      if (ms > left) throw tryLater(at, ms, error);
      left -= ms;
      progress?.(turn, undefined, `${at} limits requests. Waiting ${secondsIn(ms)} s.`);
      await delay(ms, undefined, { signal }).catch(() => {
        throw toAppError(signal.reason);
      });
    }
  }
}

/** 429, or 503 with Retry-After. */
function usualWait(error: HttpError): number | undefined {
  const asked = retryAfter(error);
  if (error.status === 429) return asked ?? USUAL_MS;
  return error.status === 503 ? asked : undefined;
}

/** The header Retry-After in milliseconds: a number of seconds, or a date. */
export function retryAfter({ headers }: HttpError, now = Date.now()): number | undefined {
  const given = headers['retry-after']?.trim();
  if (given === undefined || given === '') return undefined;
  if (/^\d{1,9}$/.test(given)) return Number(given) * 1000;
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export function tryLater(at: string, ms: number, cause: unknown): AppError {
  const until = Math.min(Math.ceil((Date.now() + ms) / 1000) * 1000, LAST_DAY_MS);
  const when = new Date(until).toISOString().replace(/\.\d+Z$/, 'Z');
  return new AppError(
    'rate_limited',
    `${at} limits requests, and nothing was done. Try again in ${secondsIn(ms)} s (after ${when}).`,
    { cause, saysWhen: true },
  );
}

const secondsIn = (ms: number): number => Math.ceil(ms / 1000);
