import { z } from 'zod';
import { spanOf } from '../kernel/moment.ts';
import { flag, integer } from '../host/config/scalars.ts';

const HOUR = 3_600_000;
const TEN_YEARS = 3650 * 24 * HOUR;

/** `30` (days), `"30d"`, `"12h"`, `"2w"`; becomes milliseconds. */
const span = z.union([z.number(), z.string()], { error: 'must be a span of time' }).transform((given, context) => {
  const ms = spanOf(/^[\d.]+$/.test(String(given)) ? `${given}d` : String(given)) ?? Number.NaN;
  if (ms >= HOUR && ms <= TEN_YEARS) return ms;
  context.addIssue({
    code: 'custom',
    message: Number.isNaN(ms) ? 'is not a span of time' : 'must be from 1h to 3650d',
    params: { fix: 'Write days as a number (30), or a text with its unit ("12h", "30d", "2w").' },
  });
  return z.NEVER;
});

/** The keys of `events` that say what is kept of them, where, and for how long. */
export const keepingKeys = {
  keep: span.prefault(30),
  /** At most so many; the oldest go first. */
  max: integer(1_000, 100_000_000).default(1_000_000),
  /** A directory, for `<date>.jsonl` files. */
  jsonl: z.string().min(1, 'must name a directory').optional(),
  /** Whether to record each call; everything else is recorded anyway. */
  calls: flag.default(true),
  /** Whether to record what tools are called with. */
  arguments: flag.default(false),
};
