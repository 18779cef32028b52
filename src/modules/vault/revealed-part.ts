import { fittingItems } from '../../kernel/reply-size.ts';
import { shortened } from '../shown.ts';

interface Part {
  readonly values: Record<string, unknown>;
  readonly next_offset?: number;
  readonly left_out?: string[];
}

type Entries = readonly (readonly [string, unknown])[];

const MOST_NAMES = 20;
/** Of one value, as JSON. */
const MOST_BYTES = 2400;

/** The values that fit into a reply. One that is too long alone is cut, and goes on at `next_offset`. */
export function revealedPart(entries: Entries, offset: number, besides: object): Part {
  const [first, ...others] = entries;
  if (!first) return { values: {} };
  const [key, value] = first;
  const whole = typeof value === 'string' ? value : JSON.stringify(value);
  if (offset === 0 && bytesOf(whole) <= MOST_BYTES) {
    const fit = fittingItems(entries, { ...besides, ...leftOut(others) });
    return { values: Object.fromEntries(entries.slice(0, fit)), ...leftOut(entries.slice(fit)) };
  }
  const part = firstOf(whole.slice(offset));
  const end = offset + part.length;
  return {
    values: Object.fromEntries([[key, part]]),
    ...(end < whole.length && { next_offset: end }),
    ...leftOut(others),
  };
}

function leftOut(entries: Entries): { left_out?: string[] } {
  if (entries.length === 0) return {};
  const names = entries.slice(0, MOST_NAMES).map(([key]) => shortened(key, 40));
  const more = entries.length - names.length;
  return { left_out: more > 0 ? [...names, `… (${more} more)`] : names };
}

/** As much of a text as has room, ended between two characters. */
function firstOf(text: string): string {
  let length = Math.min(text.length, MOST_BYTES);
  while (bytesOf(text.slice(0, length)) > MOST_BYTES) length = Math.ceil(length / 2);
  return length < text.length ? text.slice(0, length).replace(/[\ud800-\udbff]$/, '') : text;
}

/** Line ends and quotes take more room as JSON. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));
