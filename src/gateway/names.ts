import { createHash } from 'node:crypto';
import { fold } from '../kernel/nearest-names.ts';

export { fold, nearestNames, shown } from '../kernel/nearest-names.ts';

const MAX = 45;
const HASH = 6;

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

/** Whatever brings names: `<prefix>__<name>`, and `<id>:<name>` as an alias. */
interface Named {
  readonly id: string;
  readonly prefix: string;
}

/**
 * Whose name it is by its form, where that is somebody else's: `good__echo` and `good:echo` belong to the server good,
 * even while good does not run. A server that has no prefix could take them otherwise.
 */
export function rivalsOf(asker: Named, all: readonly Named[]): (name: string) => string | undefined {
  const head = asker.prefix === '' ? '' : fold(`${asker.prefix}__`);
  const heads = all
    .filter(({ id, prefix }) => id !== asker.id && prefix !== '')
    .map(({ id, prefix }) => [fold(`${prefix}__`), id] as const)
    .filter(([other]) => other.length > head.length && other.startsWith(head));
  // With a prefix, a name never has the form of an alias.
  if (head === '') for (const { id } of all) if (id !== asker.id) heads.push([fold(`${id}:`), id]);
  if (heads.length === 0) return () => undefined;
  return (name) => {
    const folded = fold(name);
    return heads.find(([other]) => folded.startsWith(other))?.[1];
  };
}

/** A name for the second of two tools that would be one to some clients. */
export function distinctName(prefix: string, original: string, source: string): string {
  return hashed(prefix === '' ? source : prefix, original, `${source}\0${original}`);
}
