import { createHash } from 'node:crypto';

const MAX = 45;
const HASH = 6;

/** Names that differ only in case or in `_` and `-` are one name to some clients. */
export const fold = (name: string): string => name.toLowerCase().replaceAll('_', '-');

const legal = (name: string): boolean => name.length <= MAX && /^[a-zA-Z0-9](?:[a-zA-Z0-9_-]*[a-zA-Z0-9])?$/.test(name);

function hashed(name: string, original: string): string {
  const hash = createHash('sha256').update(original).digest('hex').slice(0, HASH);
  const safe = name
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '');
  const kept = safe.slice(0, MAX - HASH - 1).replace(/[_-]+$/, '');
  return kept === '' ? `t-${hash}` : `${kept}-${hash}`;
}

/** The name under which clients see a tool: legal everywhere, and the same after every restart. */
export function exposedName(prefix: string, original: string): string {
  const full = prefix === '' ? original : `${prefix}__${original}`;
  return legal(full) ? full : hashed(full, full);
}

/** A name for the second of two tools that would be one to some clients. */
export function distinctName(prefix: string, original: string, source: string): string {
  const full = prefix === '' ? `${source}__${original}` : `${prefix}__${original}`;
  return hashed(full, `${source}\0${original}`);
}

/** The names nearest to one that does not exist. */
export function nearestNames(wanted: string, names: Iterable<string>, count = 3): string[] {
  const target = fold(wanted);
  return [...names]
    .map((name) => ({ name, distance: distanceOf(target, fold(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(2, wanted.length / 3) || fold(name).includes(target))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

function distanceOf(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current[j] = Math.min((previous[j] as number) + 1, (current[j - 1] as number) + 1, substitution);
    }
    previous = current;
  }
  return previous[b.length] as number;
}
