import { createHash } from 'node:crypto';
import { inLatin } from '../kernel/latin.ts';

const HASH = 6;
/** What precedes a tool's name leaves room for it: 45 characters are all there are for both. */
const LONGEST_SLUG = 24;
/** n8n cuts a tool's name at 64. */
const LONGEST_TOOL = 60;

const shortHash = (text: string, length = HASH): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/** How names are compared everywhere: some clients fold case, `_` and `-`. */
const fold = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** Legal everywhere. One of which no letter is left goes by its id; one that was cut carries a hash of what it was. */
function legal(name: string, longest: number, id: string): string {
  const { text, lost } = inLatin(name);
  const safe = text === '' || (lost && !/[A-Za-z]/.test(text)) ? inLatin(id).text || shortHash(name) : text;
  if (safe.length <= longest) return safe;
  return `${safe.slice(0, longest - HASH - 1).replace(/[_-]+$/, '')}-${shortHash(name)}`;
}

/** What a workflow is called in front of its tools, and behind `run_`. */
export const slugOf = (name: string, id = 'workflow'): string => legal(name, LONGEST_SLUG, id).toLowerCase();

/** What a node is called as a tool: near to what n8n makes of its name, else after its kind, and never nothing. */
export const toolNameOf = (name: string, type = 'tool'): string => legal(name, LONGEST_TOOL, kindOf(type));

/** Such as `Calculator`, or `gmail`. */
const kindOf = (type: string): string =>
  inLatin(type.replace(/^.*\./, '').replace(/^tool(?=[A-Z])|(?<=.)Tool$/g, '')).text;

/** One that nobody has; which it becomes depends on whose it is, not on who else is there. */
function distinct(name: string, key: string, isTaken: (name: string) => boolean, longest: number): string {
  if (!isTaken(name)) return name;
  for (let length = HASH; ; length += 2) {
    const candidate = `${name.slice(0, longest - length - 1).replace(/[_-]+$/, '')}-${shortHash(key, length)}`;
    if (!isTaken(candidate)) return candidate;
  }
}

/** What has a name that it keeps, whatever it is renamed to in n8n. */
export interface Named {
  readonly key: string;
  /** What it is called there now. */
  readonly name: string;
  /** What it goes by where no letter of that can be written: its id, or its kind. */
  readonly fallback?: string | undefined;
}

/**
 * A name for each, the one it had before wherever it had one. Those that are new get what they are called, the nearest
 * to their name first and then in the order of their keys; of two that want the same name the second gets one of its own.
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

/** How far a name is from what the thing is called: the same, spelt out, or nothing of it. */
function distance(called: string, name: string): number {
  if (fold(called.replaceAll(' ', '_')) === fold(name)) return 0;
  return fold(name) === fold(inLatin(called).text) ? 1 : 2;
}

/** Names of workflows; `taken` are those of other sources. */
export const nameWorkflows = (
  workflows: readonly Named[],
  known: ReadonlyMap<string, string>,
  taken: readonly string[],
): Map<string, string> => assign(workflows, known, { make: slugOf, longest: LONGEST_SLUG, taken });

/** Names of the tools of one workflow. */
export const nameTools = (tools: readonly Named[], known: ReadonlyMap<string, string>): Map<string, string> =>
  assign(tools, known, { make: toolNameOf, longest: LONGEST_TOOL, taken: [] });
