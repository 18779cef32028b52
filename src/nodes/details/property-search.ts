import type { DisplayOptions, NodeDescription } from '../description.ts';
import { type About, aboutNode, isShown } from '../configuration/display.ts';
import { inWords } from './conditions.ts';
import { shownWhen } from './parameter.ts';
import { shortened, textIn, upTo } from './text.ts';
import { valueForm } from './value-forms.ts';
import { choicesOf, groupsOf, modesOf, type Placed, walk } from './walk.ts';

export interface FoundProperty {
  readonly path: string;
  readonly title: string;
  readonly type: string;
  readonly required?: boolean;
  readonly default?: unknown;
  readonly description?: string;
  /** Values to choose from, or the names of nested fields. */
  readonly options?: string[];
  readonly modes?: string[];
  /** How to write a structured value. */
  readonly form?: unknown;
  /** The parameter is shown if any of these holds. Absent if it is always shown. */
  readonly shown_when?: string[];
}

/** Longer lists are cut. */
const MOST_OPTIONS = 30;
const MOST_WAYS = 5;

/** Parameters of this version that match the words or the path, best first. */
export function searchProperties(description: NodeDescription, version: number, query: string): FoundProperty[] {
  const about = aboutNode(description, version);
  const all = [...walk(description.properties)].filter(({ property, within }) =>
    [...within, property].every(({ displayOptions }) => isOfVersion(displayOptions, about)),
  );
  const named = atPath(all, query);
  return named.length > 0 ? merged(named) : merged(fitting(all, wordsIn(query)));
}

/** Checks only the version condition: the others depend on the node's parameters. */
function isOfVersion(options: DisplayOptions | undefined, about: About): boolean {
  const only = (given: DisplayOptions['show']): NonNullable<DisplayOptions['show']> =>
    given?.['@version'] === undefined ? {} : { '@version': given['@version'] };
  return !options || isShown({ show: only(options.show), hide: only(options.hide) }, {}, {}, about);
}

/**
 * Parameters at a path like `rule.interval[0].expression`. A path into a value whose parts n8n does not describe, such as
 * conditions, finds the parameter that contains it.
 */
function atPath(all: readonly Placed[], query: string): Placed[] {
  const wanted = plainPath(query.trim());
  if (!/^[\w$-]+(?:\.[\w$-]+)*$/.test(wanted)) return [];
  // A single name is searched as a word, because it may be nested anywhere.
  if (!wanted.includes('.')) return [];
  const exact = all.filter(({ path }) => plainPath(path) === wanted);
  if (exact.length > 0) return exact;
  return all.filter(
    ({ path, property }) => wanted.startsWith(`${plainPath(path)}.`) && valueForm(property.type) !== undefined,
  );
}

const plainPath = (path: string): string => path.replace(/\[\w*\]|\[\]/g, '');

function fitting(all: readonly Placed[], words: readonly string[]): Placed[] {
  const scored = all.map((placed) => ({ placed, ...score(placed, words) })).filter(({ hits }) => hits > 0);
  // Keep only those that match the most words.
  const most = Math.max(0, ...scored.map(({ hits }) => hits));
  const best = scored.filter(({ hits }) => hits === most).sort((a, b) => b.points - a.points);
  return best.map(({ placed }) => placed);
}

/** Merges parameters that occur several times under different conditions. */
function merged(all: readonly Placed[]): FoundProperty[] {
  const same = new Map<string, Placed[]>();
  for (const placed of all) {
    const { path, property } = placed;
    const key = JSON.stringify([path, property.type, choicesOf(property).map(({ value }) => value)]);
    const there = same.get(key);
    if (there) there.push(placed);
    else same.set(key, [placed]);
  }
  return [...same.values()].map(found);
}

const wordsIn = (text: string): string[] => [
  ...new Set(
    text
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ''),
  ),
];

function score({ path, property }: Placed, words: readonly string[]): { hits: number; points: number } {
  const own = wordsIn(`${property.name} ${property.displayName}`);
  const around = wordsIn(path);
  const options = wordsIn(optionTexts(property).join(' '));
  const about = wordsIn(
    [property.description, property.hint, property.placeholder].map((text) => textIn(text) ?? '').join(' '),
  );
  const shown = wordsIn(inWords(property.displayOptions) ?? '');
  let hits = 0;
  let points = 0;
  for (const word of words) {
    const fits = (texts: readonly string[]) => texts.some((text) => text.startsWith(word));
    const gained = fits(own) ? 8 : fits(options) ? 4 : fits(around) ? 3 : fits(shown) ? 2 : fits(about) ? 1 : 0;
    if (gained === 0) continue;
    hits += 1;
    points += gained;
  }
  // Between equal matches, prefer the shorter path and name.
  return { hits, points: points - path.split('.').length * 0.2 - own.length * 0.05 };
}

function optionTexts(property: Placed['property']): string[] {
  return [
    ...choicesOf(property).flatMap(({ name, value }) => [name, String(value)]),
    ...groupsOf(property).map(({ displayName }) => displayName),
  ];
}

function found(places: readonly Placed[]): FoundProperty {
  const [{ path, property }] = places as [Placed, ...Placed[]];
  const { displayName, type, required, default: value } = property;
  const description = textIn(property.description);
  const modes = modesOf(property);
  const form = valueForm(type);
  const values = choicesOf(property).map((choice) => String(choice.value));
  const inside = [
    ...groupsOf(property).flatMap((group) => group.values.map(({ name }) => `${group.name}.${name}`)),
    ...(type === 'collection' ? (property.options ?? []).map(({ name }) => name) : []),
  ];
  const options = values.length > 0 ? values : inside;
  const ways = [...new Set(places.map((place) => shownWhen(place.property, place.within) ?? ''))];
  return {
    path,
    title: displayName,
    type,
    ...(required === true && { required }),
    ...(value !== undefined && value !== '' && { default: value }),
    ...(description !== undefined && { description: shortened(description, 300) }),
    ...(options.length > 0 && { options: upTo(options, MOST_OPTIONS) }),
    ...(modes.length > 0 && { modes }),
    ...(form !== undefined && { form }),
    ...(!ways.includes('') && { shown_when: upTo(ways, MOST_WAYS) }),
  };
}
