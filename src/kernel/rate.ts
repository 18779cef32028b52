import { z } from 'zod';

const seconds = { s: 1, sec: 1, min: 60, h: 3600, hour: 3600 } as const;
const RATE = /^(\d{1,7})\/(s|sec|min|h|hour)$/;

/** So many in such a time: 100/min, 5/s, 1000/h. */
export interface Rate {
  readonly count: number;
  readonly perMs: number;
}

export function readRate(text: string): Rate | undefined {
  const match = RATE.exec(text);
  if (!match || Number(match[1]) === 0) return undefined;
  return { count: Number(match[1]), perMs: seconds[match[2] as keyof typeof seconds] * 1000 };
}

/** Beyond, the name that asked for longest ago is forgotten. */
const MOST_NAMES = 100_000;

export const rateText = z.string().refine((given) => readRate(given) !== undefined, {
  error: 'is no rate such as 100/min, 5/s or 1000/h',
});

/**
 * Counts per name. A whole period's worth may come at once; after that, one for each part of the period.
 * One number a name: the time at which it would be empty again, by a clock that nobody sets back.
 */
export function createLimiter(now: () => number = () => performance.now()) {
  const emptyAt = new Map<string, number>();
  return {
    /** Counts one, or says in how many seconds there is room for it. */
    exceeded(name: string, { count, perMs }: Rate): number | undefined {
      const time = now();
      const each = perMs / count;
      const from = Math.max(time, emptyAt.get(name) ?? 0);
      const over = from + each - time - perMs;
      if (over > 0.001) return Math.max(1, Math.ceil(over / 1000));
      emptyAt.delete(name);
      emptyAt.set(name, from + each);
      // The one that asked for longest ago is the first: nobody pays for looking at all of them.
      for (const [key, at] of emptyAt) {
        if (at > time && emptyAt.size <= MOST_NAMES) break;
        emptyAt.delete(key);
      }
      return undefined;
    },
  };
}
