import { z } from 'zod';

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

const LONGEST_MS = 365 * 86_400_000;

/** Milliseconds, or undefined if the text is not a duration with its unit. */
function spanOf(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,12}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text) ?? [];
  return amount === undefined ? undefined : Math.round(Number(amount) * (UNITS.get(unit) ?? 1));
}

/** A bare number is refused: some would mean seconds by it, others milliseconds. */
export function span({ least = 1, most = LONGEST_MS, range = 'more than 0 and at most 365d' } = {}) {
  return z.union([z.string(), z.number()], { error: 'must be a duration' }).transform((given, context) => {
    const ms = typeof given === 'string' ? spanOf(given) : undefined;
    if (ms !== undefined && ms >= least && ms <= most) return ms;
    const example = typeof given === 'number' ? `"${given}s"` : '"500ms", "60s", "5m", "2h" or "7d"';
    context.addIssue({
      code: 'custom',
      message: ms === undefined ? 'is not a duration' : `must be ${range}`,
      params: { fix: ms === undefined ? `Write it with its unit: ${example}.` : 'Write another duration.' },
    });
    return z.NEVER;
  });
}
