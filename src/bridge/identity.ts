import { createHash } from 'node:crypto';
import { inLatin } from '../kernel/latin.ts';

const HASH = 6;
/** The slug precedes the tool's name, and both together have 45 characters. */
const LONGEST_SLUG = 24;
/** n8n cuts a tool's name at 64 characters. */
const LONGEST_TOOL = 60;

const shortHash = (text: string, length = HASH): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/** Some clients do not distinguish case, `_` and `-`, so names are compared in this form. */
const fold = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** A name that is legal everywhere. If no letter is left, it is the id. If it is cut, it ends with a hash of the full name. */
function legal(name: string, longest: number, id: string): string {
  const { text, lost } = inLatin(name);
  const safe = text === '' || (lost && !/[A-Za-z]/.test(text)) ? inLatin(id).text || shortHash(name) : text;
  if (safe.length <= longest) return safe;
  return `${safe.slice(0, longest - HASH - 1).replace(/[_-]+$/, '')}-${shortHash(name)}`;
}

/** A workflow's part of tool names: `<slug>__tool` and `run_<slug>`. */
export const slugOf = (name: string, id = 'workflow'): string => legal(name, LONGEST_SLUG, id).toLowerCase();

/** A node's tool name: close to the name n8n gives it, else its node type. Never empty. */
export const toolNameOf = (name: string, type = 'tool'): string => legal(name, LONGEST_TOOL, kindOf(type));

/** For example `Calculator` or `gmail`. */
const kindOf = (type: string): string =>
  inLatin(type.replace(/^.*\./, '').replace(/^tool(?=[A-Z])|(?<=.)Tool$/g, '')).text;

/** A name that is not taken. The suffix depends only on the key, so it does not change with other names. */
function distinct(name: string, key: string, isTaken: (name: string) => boolean, longest: number): string {
  if (!isTaken(name)) return name;
  for (let length = HASH; ; length += 2) {
    const candidate = `${name.slice(0, longest - length - 1).replace(/[_-]+$/, '')}-${shortHash(key, length)}`;
    if (!isTaken(candidate)) return candidate;
  }
}

/** A workflow or node. Its assigned name stays, even if it is renamed in n8n. */
export interface Named {
  readonly key: string;
  /** Its current name in n8n. */
  readonly name: string;
  /** Used if no letter of the name is legal: the id, or the node type. */
  readonly fallback?: string | undefined;
}

/**
 * Assigns a unique name to each. Known things keep their names. New ones are served in order of how close the wanted name
 * is to their name in n8n, then by key; if the wanted name is taken, they get a suffix.
 */
function assign(
  things: readonly Named[],
  known: ReadonlyMap<string, string>,
  options: { make(name: string, fallback?: string): string; longest: number; taken: readonly string[] },
): Map<string, string> {
  const taken = new Set(options.taken.map(fold));
  const given = new Map<string, string>();
  const give = ({ key }: Named, name: string) => {
    const own = distinct(name, key, (one) => taken.has(fold(one)), options.longest);
    taken.add(fold(own));
    given.set(key, own);
  };
  const sorted = things.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  for (const thing of sorted) if (known.has(thing.key)) give(thing, known.get(thing.key) as string);
  const fresh = sorted
    .filter(({ key }) => !known.has(key))
    .map((thing) => ({ thing, name: options.make(thing.name, thing.fallback) }))
    .map((one) => ({ ...one, distance: distance(one.thing.name, one.name) }))
    .toSorted((a, b) => a.distance - b.distance);
  for (const { thing, name } of fresh) give(thing, name);
  return given;
}

/** How far the assigned name is from the name in n8n: 0 the same, 1 transliterated, 2 different. */
function distance(called: string, name: string): number {
  if (fold(called.replaceAll(' ', '_')) === fold(name)) return 0;
  return fold(name) === fold(inLatin(called).text) ? 1 : 2;
}

/** Names for workflows. `taken` are the names of other sources. */
export const nameWorkflows = (
  workflows: readonly Named[],
  known: ReadonlyMap<string, string>,
  taken: readonly string[],
): Map<string, string> => assign(workflows, known, { make: slugOf, longest: LONGEST_SLUG, taken });

/** Names for the tools of one workflow. */
export const nameTools = (tools: readonly Named[], known: ReadonlyMap<string, string>): Map<string, string> =>
  assign(tools, known, { make: toolNameOf, longest: LONGEST_TOOL, taken: [] });
