import { z } from 'zod';

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const DAY = 24 * 3_600_000;

/** Milliseconds, or undefined if the text is not a duration. */
export function toMilliseconds(given: number | string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h)?\s*$/.exec(String(given));
  if (!match?.[1]) return undefined;
  const amount = Number(match[1]);
  if (match[2]) return amount * (UNITS[match[2]] ?? 1);
  // Other clients write milliseconds, people write seconds. Nobody means 1,000 seconds by a bare number.
  return amount >= 1_000 ? amount : amount * 1_000;
}

/**
 * `30` (seconds), `"30s"`, `"2m"`, `"500ms"`, or from 1000 on milliseconds, as other clients write them. Becomes
 * milliseconds.
 */
export const duration = atLeast(Number.MIN_VALUE, 'must be more than 0 and at most 24h');

/** The same, where 0 means not at all. */
export const durationOrZero = atLeast(0, 'must be at most 24h');

function atLeast(least: number, message: string) {
  return z.union([z.number(), z.string()], { error: 'must be a duration' }).transform((given, context) => {
    const ms = toMilliseconds(given);
    if (ms !== undefined && ms >= least && ms <= DAY) return ms;
    context.addIssue({
      code: 'custom',
      message: ms === undefined ? 'is not a duration' : message,
      params: { fix: 'Write a number of seconds (30) or a text with a unit ("500ms", "30s", "2m", "1h").' },
    });
    return z.NEVER;
  });
}
