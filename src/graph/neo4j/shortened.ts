import { fittingItems } from '../../kernel/reply-size.ts';

const LONGEST = 1000;
const SHORTEST = 5;

/** A row whose long texts and lists are cut until it fits into a reply. */
export function shortened(row: Record<string, unknown>): Record<string, unknown> {
  let short = row;
  for (let most = LONGEST; most >= SHORTEST && fittingItems([short, '']) < 2; most /= 2)
    short = Object.fromEntries(Object.entries(row).map(([key, value]) => [key, cut(value, Math.floor(most))]));
  return short;
}

function cut(value: unknown, most: number): unknown {
  if (typeof value === 'string')
    return value.length > most ? `${value.slice(0, most).toWellFormed()}… (${value.length} characters)` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const kept = value.slice(0, most).map((one) => cut(one, most));
    return value.length > most ? [...kept, `… (${value.length} items)`] : kept;
  }
  const entries = Object.entries(value);
  const kept = entries.slice(0, most).map(([key, one]): [string, unknown] => [key, cut(one, most)]);
  if (entries.length > most) kept.push(['…', `${entries.length} keys`]);
  return Object.fromEntries(kept);
}
