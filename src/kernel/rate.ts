import { z } from 'zod';

const seconds = { s: 1, sec: 1, min: 60, h: 3600, hour: 3600 } as const;
const RATE = /^(\d{1,7})\/(s|sec|min|h|hour)$/;

/** Count per period: 100/min, 5/s, 1000/h. */
export interface Rate {
  readonly count: number;
  readonly perMs: number;
}

export function readRate(text: string): Rate | undefined {
  const match = RATE.exec(text);
  if (!match || Number(match[1]) === 0) return undefined;
  return { count: Number(match[1]), perMs: seconds[match[2] as keyof typeof seconds] * 1000 };
}

/** Above this number, forget the name used longest ago. */
const MOST_NAMES = 100_000;

export const rateText = z.string().refine((given) => readRate(given) !== undefined, {
  error: 'must look like 100/min, 5/s or 1000/h',
});

/**
 * Rate limits by name. A whole period's worth may come at once; after that, one per fraction of the period. Stores one
 * number per name: when its bucket is empty again, on a monotonic clock.
 */
export function createLimiter(now: () => number = () => performance.now()) {
  const emptyAt = new Map<string, number>();
  return {
    /** Counts `times`, or nothing if there is no room for all of them; then returns the seconds until there is. */
    exceeded(name: string, { count, perMs }: Rate, times = 1): number | undefined {
      const time = now();
      const each = (perMs / count) * times;
      const from = Math.max(time, emptyAt.get(name) ?? 0);
      const over = from + each - time - perMs;
      if (over > 0.001) return Math.max(1, Math.ceil(over / 1000));
      emptyAt.delete(name);
      emptyAt.set(name, from + each);
      // The map is in order of last use, so expired names come first and no full scan is needed.
      for (const [key, at] of emptyAt) {
        if (at > time && emptyAt.size <= MOST_NAMES) break;
        emptyAt.delete(key);
      }
      return undefined;
    },
  };
}
