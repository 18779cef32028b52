import type { HttpError } from '../http.ts';
import { retryAfter } from '../rate-limited.ts';

/** GitHub asks for at least a minute if it does not say how long. */
const UNSAID_MS = 60_000;
/** Clocks differ a little, and the time of the reset is in whole seconds. */
const SPARE_MS = 1_000;

/** How long GitHub asks to wait; undefined if the error is about something else. */
export function waitOf(error: HttpError, now = Date.now()): number | undefined {
  const { status, headers, body } = error;
  if (status !== 403 && status !== 429) return undefined;
  const asked = retryAfter(error, now);
  if (asked !== undefined) return asked;
  const reset = Number(headers['x-ratelimit-reset']);
  if (headers['x-ratelimit-remaining'] === '0' && Number.isFinite(reset))
    return Math.max(0, reset * 1000 - now) + SPARE_MS;
  return status === 429 || /secondary rate limit|abuse detection/i.test(body) ? UNSAID_MS : undefined;
}
