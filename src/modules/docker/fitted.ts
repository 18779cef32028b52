import { shortened } from '../shown.ts';

/** A reply has everything twice, as data and as text with escaped quotes. */
const MOST_BYTES = 3400;

const sizeOf = (value: unknown): number => {
  const json = JSON.stringify(value);
  return (Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json))) / 2;
};

/**
 * Shortens lists, maps and texts of an answer until it fits a reply, the largest first, and says in `left_out` which
 * it shortened.
 */
export function fitted<T extends object>(answer: T): T & { left_out?: string[] } {
  const parts = new Map<string, unknown>(Object.entries(answer));
  const cut = new Set<string>();
  while (sizeOf(Object.fromEntries(parts)) > MOST_BYTES) {
    const [name, value] = [...parts].reduce((largest, one) => (sizeOf(one[1]) > sizeOf(largest[1]) ? one : largest));
    const smaller = halved(value);
    if (sizeOf(smaller) >= sizeOf(value)) break;
    parts.set(name, smaller);
    cut.add(name);
  }
  const fitting = Object.fromEntries(parts) as T;
  return cut.size === 0 ? fitting : { ...fitting, left_out: [...cut] };
}

function halved(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value, Math.floor(value.length / 2) - 30);
  if (Array.isArray(value)) return value.length > 1 ? value.slice(0, Math.ceil(value.length / 2)) : value.map(halved);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return entries.length > 1
    ? Object.fromEntries(entries.slice(0, Math.ceil(entries.length / 2)))
    : Object.fromEntries(entries.map(([name, inner]) => [name, halved(inner)]));
}
