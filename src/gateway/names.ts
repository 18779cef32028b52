import { createHash } from 'node:crypto';

const MAX = 45;
const HASH = 6;

/** Names that differ only in case or in `_` and `-` are one name to some clients. */
export const fold = (name: string): string => name.toLowerCase().replaceAll('_', '-');

const legal = (name: string): boolean => name.length <= MAX && /^[a-zA-Z0-9](?:[a-zA-Z0-9_-]*[a-zA-Z0-9])?$/.test(name);

const safe = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '');

/** What precedes a tool's name stays whole, so that `<server>__*` means all tools of the server. */
function hashed(prefix: string, tool: string, original: string): string {
  const hash = createHash('sha256').update(original).digest('hex').slice(0, HASH);
  const head = safe(prefix) === '' ? '' : `${safe(prefix)}__`;
  if (head.length + HASH > MAX) return `${cut(safe(prefix), MAX - HASH - 1)}-${hash}`;
  const kept = cut(safe(tool), Math.max(0, MAX - HASH - 1 - head.length));
  return kept === '' ? `${head === '' ? 't-' : head}${hash}` : `${head}${kept}-${hash}`;
}

const cut = (name: string, length: number): string => name.slice(0, length).replace(/[_-]+$/, '');

/** The name under which clients see a tool: legal everywhere, and the same after every restart. */
export function exposedName(prefix: string, original: string): string {
  const full = prefix === '' ? original : `${prefix}__${original}`;
  return legal(full) ? full : hashed(prefix, original, full);
}

/** A name for the second of two tools that would be one to some clients. */
export function distinctName(prefix: string, original: string, source: string): string {
  return hashed(prefix === '' ? source : prefix, original, `${source}\0${original}`);
}

const LONGEST_SHOWN = 100;

/** A name out of a request, as an error shows it. */
export const shown = (name: string): string =>
  name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name;

/** The names nearest to one that does not exist. */
export function nearestNames(wanted: string, names: Iterable<string>, count = 3): string[] {
  // Nobody mistypes a name into a page of text, and comparing one costs the product of the lengths.
  if (wanted.length > LONGEST_SHOWN) return [];
  const target = fold(wanted);
  return [...new Set(names)]
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
