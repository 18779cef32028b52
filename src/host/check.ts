import { type Health, troubleOf } from '../kernel/health.ts';
import { shortDuration } from './short-duration.ts';

/** One thing that was looked at. A warning is worth knowing, a failure has to be mended. */
export interface Check {
  check: string;
  result: 'ok' | 'warning' | 'failed';
  detail: string;
  fix?: string;
  /** It does not work as it should, or not yet. */
  unsettled?: true;
}

/** A part as doctor sees it; nothing where nobody has asked for it. */
export function partCheck(part: Health, now: number): Check[] {
  const { name: check, state, detail, fix } = part;
  const told = { check, detail: troubleOf(part) ?? state };
  const remedy = fix === undefined ? {} : { fix };
  switch (state) {
    case 'ready':
      return [{ check, result: 'ok', detail: detail ?? 'works' }];
    case 'off':
      return fix === undefined ? [] : [{ check, result: 'warning', detail: detail ?? 'is off', fix }];
    case 'starting':
      return [{ ...told, result: 'warning', fix: fix ?? 'Look again in a moment.', unsettled: true }];
    case 'degraded':
      return [{ ...told, result: 'warning', ...remedy, unsettled: true }];
    case 'failing':
      return [withTimes({ ...told, result: 'failed', ...remedy }, part, now)];
  }
}

/** The same with how long it has been so, and when it is tried again. */
export function withTimes(check: Check, { state, since, retryAt }: Health, now: number): Check {
  if (check.result !== 'failed' || state !== 'failing') return check;
  const times = [
    ...(since === undefined ? [] : [`for ${shortDuration(now - Date.parse(since))}`]),
    ...(retryAt === undefined ? [] : [`next attempt in ${shortDuration(Math.max(0, Date.parse(retryAt) - now))}`]),
  ];
  return times.length === 0 ? check : { ...check, detail: `${check.detail} (${times.join('; ')})` };
}
