import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 0.001],
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
  ['w', 604_800],
  ['y', 31_536_000],
]);

const LONGEST = 60;

/** Seconds of a duration as Prometheus writes it, `1h30m`, or of a bare number; undefined for any other text. */
export function secondsIn(given: string | number): number | undefined {
  if (typeof given === 'number') return Number.isFinite(given) && given >= 0 ? given : undefined;
  const text = given.trim();
  if (text.length === 0 || text.length > LONGEST) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhdwy]))+$/.test(text)) return undefined;
  return text
    .matchAll(/(\d+(?:\.\d+)?)(ms|[smhdwy])/g)
    .reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS.get(unit) ?? Number.NaN), 0);
}

/** The shortest exact way to write seconds: 90 is `1m30s`. */
export function spanText(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)}ms`;
  let left = Math.round(seconds);
  const parts = ['d', 'h', 'm', 's'].map((unit) => {
    const size = UNITS.get(unit) ?? 1;
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? '' : `${count}${unit}`;
  });
  return parts.join('') || '0s';
}

/** Larger numbers are milliseconds: as seconds they would be in the year 5138. */
const MOST_SECONDS = 1e11;

/**
 * A point in time as people and models write it, in unix seconds: RFC 3339, a unix time, `now`, `now-30m`, or how long
 * ago (`1h`). `name` is the parameter, for the error.
 */
export function timeOf(given: string | number, name: string, now: number): number {
  const seconds = typeof given === 'number' ? given : secondsOf(given.trim(), now);
  const time = seconds !== undefined && Math.abs(seconds) >= MOST_SECONDS ? seconds / 1000 : seconds;
  // Prometheus knows no time that a Date does not.
  if (time !== undefined && Math.abs(time) < MOST_SECONDS) return time;
  throw new AppError(
    'invalid_input',
    `${name}: "${shown(String(given))}" is not a time. Write 2026-01-31T14:00:00Z, unix seconds, 1h (an hour ago) or now-30m.`,
  );
}

function secondsOf(text: string, now: number): number | undefined {
  if (text.length > LONGEST) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  const [, sign = '-', span = ''] = /^(?:now\s*)?([-+])?\s*([\dmshdwy.]*)$/.exec(text) ?? [undefined, '-', 'none'];
  if (text === 'now') return now;
  const away = span === '' ? undefined : secondsIn(span);
  if (away !== undefined) return sign === '+' ? now + away : now - away;
  // A date without a time zone is UTC, as everything in Prometheus.
  const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/i.exec(text);
  if (!iso) return undefined;
  const hasTime = /[T ]\d/i.test(text);
  const ms = Date.parse(`${text.replace(' ', 'T')}${iso[1] === undefined && hasTime ? 'Z' : ''}`);
  return Number.isNaN(ms) ? undefined : ms / 1000;
}

export const isoTime = (seconds: number): string =>
  new Date(Math.round(seconds * 1000)).toISOString().replace('.000Z', 'Z');

/** Steps that people would choose, in seconds. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];

/** A round step that gives at most `points` points. */
export function stepFor(range: number, points: number): number {
  const least = range / points;
  return STEPS.find((step) => step >= least) ?? Math.ceil(least / 86_400) * 86_400;
}

export interface Limits {
  /** In seconds. */
  readonly range: number;
  readonly points: number;
  /** Where they are in the file, such as `modules.prometheus`. */
  readonly setting: string;
}

export interface Window {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

interface Asked {
  readonly start: string | number;
  readonly end?: string | number | undefined;
  readonly step?: string | number | undefined;
}

const USUAL_POINTS = 60;

/** Start, end and step of a range query, within what the file allows. */
export function windowOf({ start: from, end: to = 'now', step: given }: Asked, limits: Limits, now: number): Window {
  const [start, end] = [timeOf(from, 'start', now), timeOf(to, 'end', now)];
  const range = end - start;
  if (range <= 0) throw new AppError('invalid_input', `end (${isoTime(end)}) must be after start (${isoTime(start)}).`);
  if (range > limits.range)
    throw new AppError(
      'invalid_input',
      `start to end is ${spanText(range)}, and ${limits.setting}.maxRange allows ${spanText(limits.range)}. Ask for a shorter range, or raise maxRange in sluice.yaml.`,
    );
  const step = given === undefined ? stepFor(range, USUAL_POINTS) : secondsIn(given);
  if (step === undefined || step < 0.001)
    throw new AppError('invalid_input', `step: "${shown(String(given))}" is not a duration. Write 30s, 5m or seconds.`);
  if (range / step > limits.points)
    throw new AppError(
      'invalid_input',
      `A step of ${spanText(step)} over ${spanText(range)} gives more than ${limits.points} points a series, the most that ${limits.setting}.maxPoints allows. Use a step of ${spanText(stepFor(range, limits.points))} or more, or leave step out.`,
    );
  return { start, end, step };
}
