import { AppError } from './errors.ts';

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The milliseconds in a text like 90d, 12h or 15m; undefined if it is not such a text. */
export function spanOf(text: string): number | undefined {
  const match = /^(\d{1,9}(?:\.\d+)?)([smhdw])$/.exec(text.trim());
  return match ? Number(match[1]) * (units[match[2] as string] as number) : undefined;
}

/** Parses a point in time as people and models write it: an ISO time, or how long ago. */
export function momentOf(text: string, now: number = Date.now()): Date {
  const ago = spanOf(text);
  const time = new Date(ago === undefined ? text : now - ago);
  if (Number.isNaN(time.getTime()))
    throw new AppError('invalid_input', `${text} is not a time. Write an ISO time or 15m, 2h, 7d.`);
  return time;
}
