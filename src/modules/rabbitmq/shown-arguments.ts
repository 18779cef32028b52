import { shortened } from '../shown.ts';

const MOST = 20;
const LONGEST = 120;

/** Arguments and headers for a reply: few, and short. */
export function shownArguments(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const all = Object.entries(given);
  const some = all.slice(0, MOST).map(([name, value]) => [shortened(name, LONGEST), short(value)] as const);
  const left = all.length - some.length;
  return Object.fromEntries(left > 0 ? [...some, ['…', `${left} more`]] : some);
}

function short(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value, LONGEST);
  const json = JSON.stringify(value) ?? 'null';
  return json.length <= LONGEST ? value : shortened(json, LONGEST);
}
