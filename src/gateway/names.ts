import { createHash } from 'node:crypto';
import { fold } from '../kernel/nearest-names.ts';
import { inLatin } from '../kernel/latin.ts';
import type { Entry } from '../kernel/source.ts';

const MAX = 45;
const HASH = 6;

const legal = (name: string): boolean => name.length <= MAX && /^[a-zA-Z0-9](?:[a-zA-Z0-9_-]*[a-zA-Z0-9])?$/.test(name);

/** Longer names are cut anyway, so do not spell them out. */
const LONGEST_SPELT = 200;

/** For names with a hash. Clients know these names, so this must never change. */
const safe = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '');

/** Never cuts the prefix, so that `<server>__*` matches all tools of the server. */
function hashed(prefix: string, tool: string, original: string): string {
  const hash = createHash('sha256').update(original).digest('hex').slice(0, HASH);
  const head = safe(prefix) === '' ? '' : `${safe(prefix)}__`;
  if (head.length + HASH > MAX) return `${cut(safe(prefix), MAX - HASH - 1)}-${hash}`;
  const kept = cut(safe(tool), Math.max(0, MAX - HASH - 1 - head.length));
  return kept === '' ? `${head === '' ? 't-' : head}${hash}` : `${head}${kept}-${hash}`;
}

const cut = (name: string, length: number): string => name.slice(0, length).replace(/[_-]+$/, '');

const fullName = (prefix: string, original: string): string => (prefix === '' ? original : `${prefix}__${original}`);

/** The name with a hash of the original; undefined if the name is legal as it is. */
export function hashedName(prefix: string, original: string): string | undefined {
  const full = fullName(prefix, original);
  return legal(full) ? undefined : hashed(prefix, original, full);
}

/** The name in letters that are legal everywhere; undefined if it would be cut or lose a letter. */
function spelt(prefix: string, original: string): string | undefined {
  if (prefix.length + original.length > LONGEST_SPELT) return undefined;
  const { text, lost } = inLatin(original);
  const name = fullName(inLatin(prefix).text, text);
  return text !== '' && !lost && legal(name) ? name : undefined;
}

/**
 * The name under which clients see a tool, regardless of other tools: legal everywhere, and the same after every restart.
 * It has a hash of the original only if something had to be cut or left out.
 */
export function exposedName(prefix: string, original: string): string {
  const full = fullName(prefix, original);
  return legal(full) ? full : (spelt(prefix, original) ?? hashed(prefix, original, full));
}

/** The name of a wrapper for the tools of a source. */
export const wrapperName = (source: string, does: 'list' | 'call' | 'read'): string =>
  exposedName('', `${source}_${does}`);

/** Names of the tools of one source. Names that some clients would confuse get a hash, except one that needs no change. */
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

/** A source of names: `<prefix>__<name>`, with aliases. */
interface Named {
  readonly id: string;
  readonly prefix: string;
  readonly plural?: string;
}

/** The aliases of a name: `<id>:<name>`, and `<prefix>:<name>` or `<plural>:<name>` if there is another. */
export function aliasesOf(source: Named, name: string): string[] {
  return aliasHeads(source).map((head) => `${head}${name}`);
}

/** Every other name that calls a tool, including its former names. */
export function otherNames({ origin, entry }: { origin: Named; entry: Pick<Entry, 'tool' | 'aliases'> }): string[] {
  const former = [...(entry.aliases?.keys() ?? [])];
  return [
    ...aliasesOf(origin, entry.tool),
    ...former.flatMap((name) => [name, ...aliasesOf(origin, name)]),
    ...[entry.tool, ...former].flatMap((name) => inPlural(origin, name)),
  ];
}

/** `recipes_save` for `recipe_save`; nothing if the source has no plural. */
export function inPlural({ id, plural }: Pick<Named, 'id' | 'plural'>, name: string): string[] {
  return plural !== undefined && name.startsWith(`${id}_`) ? [`${plural}${name.slice(id.length)}`] : [];
}

/** The beginnings of a source's aliases. */
export const aliasHeads = ({ id, prefix, plural = id }: Named): string[] =>
  [...new Set([id, prefix || id, plural])].map((head) => `${head}:`);

/**
 * Tells which other source a name belongs to by its form: `good__echo` and `good:echo` belong to the server good, even
 * while good does not run. Otherwise a server without a prefix could take them.
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

/** A name for the second of two tools whose names some clients would confuse. */
export function distinctName(prefix: string, original: string, source: string): string {
  return hashed(prefix === '' ? source : prefix, original, `${source}\0${original}`);
}
