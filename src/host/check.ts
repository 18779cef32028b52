import { type Health, troubleOf } from '../kernel/health.ts';
import { shortDuration } from './short-duration.ts';

/** The result of one check. A warning is worth knowing; a failure has to be fixed. */
export interface Check {
  check: string;
  result: 'ok' | 'warning' | 'failed';
  detail: string;
  fix?: string;
  /** Whether it does not work properly, or not yet. */
  unsettled?: true;
}

/** A part as doctor shows it; nothing if it is off on purpose. */
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

/** Adds how long it has been failing and when it is retried. */
export function withTimes(check: Check, { state, since, retryAt }: Health, now: number): Check {
  if (check.result !== 'failed' || state !== 'failing') return check;
  const times = [
    ...(since === undefined ? [] : [`for ${shortDuration(now - Date.parse(since))}`]),
    ...(retryAt === undefined ? [] : [`next attempt in ${shortDuration(Math.max(0, Date.parse(retryAt) - now))}`]),
  ];
  return times.length === 0 ? check : { ...check, detail: `${check.detail} (${times.join('; ')})` };
}
