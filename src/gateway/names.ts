import { createHash } from 'node:crypto';
import { fold } from '../kernel/nearest-names.ts';
import { inLatin } from '../kernel/latin.ts';
import type { Entry } from '../kernel/source.ts';

const MAX = 45;
const HASH = 6;

const legal = (name: string): boolean => name.length <= MAX && /^[a-zA-Z0-9](?:[a-zA-Z0-9_-]*[a-zA-Z0-9])?$/.test(name);

/** More of a name is cut anyway, and need not be spelt out. */
const LONGEST_SPELT = 200;

/** For names with a hash: clients know them, so that they stay as they always were. */
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

const fullName = (prefix: string, original: string): string => (prefix === '' ? original : `${prefix}__${original}`);

/** With a hash of what it was; undefined where the name can stay as it is. */
export function hashedName(prefix: string, original: string): string | undefined {
  const full = fullName(prefix, original);
  return legal(full) ? undefined : hashed(prefix, original, full);
}

/** In letters that are legal everywhere, where nothing is cut and no letter lost; undefined otherwise. */
function spelt(prefix: string, original: string): string | undefined {
  if (prefix.length + original.length > LONGEST_SPELT) return undefined;
  const { text, lost } = inLatin(original);
  const name = fullName(inLatin(prefix).text, text);
  return text !== '' && !lost && legal(name) ? name : undefined;
}

/**
 * The name under which clients see a tool, looked at by itself: legal everywhere, and the same after every restart. A hash
 * of what it was is part of it only where something had to be cut or left out.
 */
export function exposedName(prefix: string, original: string): string {
  const full = fullName(prefix, original);
  return legal(full) ? full : (spelt(prefix, original) ?? hashed(prefix, original, full));
}

/** The tool that stands for those of a source. */
export const wrapperName = (source: string, does: 'list' | 'call' | 'read'): string =>
  exposedName('', `${source}_${does}`);

/** Names of the tools of one source. Those that would be one to some clients carry a hash, except where one needs no change. */
export function exposedNames(prefix: string, originals: readonly string[]): Map<string, string> {
  const wanted = originals.map((original) => ({ original, name: exposedName(prefix, original) }));
  const counts = new Map<string, number>();
  for (const { name } of wanted) counts.set(fold(name), (counts.get(fold(name)) ?? 0) + 1);
  return new Map(
    wanted.map(({ original, name }) => {
      const isShared = (counts.get(fold(name)) ?? 0) > 1;
      return [original, isShared ? (hashedName(prefix, original) ?? name) : name];
    }),
  );
}

/** Whatever brings names: `<prefix>__<name>`, with aliases. */
interface Named {
  readonly id: string;
  readonly prefix: string;
}

/** What else a name may be called by: `<id>:<name>`, and `<prefix>:<name>` where that is not the same. */
export function aliasesOf(source: Named, name: string): string[] {
  return aliasHeads(source).map((head) => `${head}${name}`);
}

/** Every other name a tool may be called by, also those of the time when it had another name. */
export function otherNames({ origin, entry }: { origin: Named; entry: Pick<Entry, 'tool' | 'aliases'> }): string[] {
  const former = [...(entry.aliases?.keys() ?? [])];
  return [...aliasesOf(origin, entry.tool), ...former.flatMap((name) => [name, ...aliasesOf(origin, name)])];
}

/** What such an alias begins with. */
export const aliasHeads = ({ id, prefix }: Named): string[] =>
  [...new Set([id, prefix || id])].map((head) => `${head}:`);

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
  if (head === '') {
    for (const other of all) {
      if (other.id !== asker.id) for (const alias of aliasHeads(other)) heads.push([fold(alias), other.id]);
    }
  }
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
