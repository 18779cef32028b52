import { AppError } from '../kernel/errors.ts';
import { momentOf, spanOf } from '../kernel/moment.ts';

/** Far enough: a later time cannot be written as an ISO time with four digits. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

export function timeIn(text: string | undefined, now: number): number | undefined {
  return text === undefined ? undefined : momentOf(text, now).getTime();
}

/** `30d`, `12h`, or a number of seconds. */
export function expiryIn(ttl: string | number | undefined, now: number): number | undefined {
  if (ttl === undefined) return undefined;
  const span =
    typeof ttl === 'number' ? ttl * 1000 : (spanOf(ttl) ?? (/^\d+$/.test(ttl) ? Number(ttl) * 1000 : undefined));
  if (span === undefined || !(span > 0) || now + span > LATEST)
    throw new AppError(
      'invalid_input',
      `ttl ${String(ttl)} is not a duration. Write 30d, 12h, 15m or a number of seconds.`,
    );
  return Math.round(now + span);
}

export function checkOrder(from: number, to: number | undefined): void {
  if (to !== undefined && to <= from)
    throw new AppError(
      'invalid_input',
      `valid_to (${iso(to)}) must be later than valid_from (${iso(from)}), which is the time of recording unless you say so.`,
    );
}

/** The same for an import: a version that was corrected at once was never true. */
export function checkPeriod(from: number, to: number | undefined): void {
  if (to !== from) checkOrder(from, to);
}

export const iso = (time: number): string => new Date(time).toISOString();
