import { AppError } from '../../../kernel/errors.ts';
import type { Catalogue } from '../../../nodes/catalogue.ts';
import { ago } from '../age.ts';
import type { OwnLibrary } from '../own/library.ts';
import type { Answer, Filter, PublicLibrary } from '../public/library.ts';
import type { Page } from '../public/shapes.ts';
import { PUBLIC } from '../settings.ts';
import type { Found, Suggested, TemplateLibrary, TemplateSummary, Wanted } from '../template.ts';
import { type Gathered, gatherer } from './gather.ts';
import { looser } from './looser.ts';
import type { TemplateMeaning } from './meaning.ts';
import { byViews, fused } from './rank.ts';
import { noLibrary } from './no-library.ts';
import { coverage } from './suggest.ts';
import { type WantedNode, wantedNode } from './wanted-nodes.ts';
import type { WordIndex } from './words.ts';

/** After this time, an answer says that another sync is due. */
const OLD_SYNC_MS = 30 * 86_400_000;
/** More than anybody pages through. */
const MOST_FOUND = 500;
/** How many nodes the service is asked about, one by one, if no template has all of them. */
const MOST_ASKED = 5;
const MOST_NEAR = 100;
/** How long a question that no word answers waits for the model. Enough to load it and to read a small library. */
const MODEL_MS = 3000;
const MEANING = 0.8;
const SERVICE = 0.8;

export interface SearchDeps {
  publicOne(): PublicLibrary | undefined;
  ownOnes(): OwnLibrary[];
  readonly words: WordIndex;
  readonly meaning?: TemplateMeaning;
}

/** What the service was asked, or why it was not. */
interface Asked {
  readonly ids: readonly string[];
  readonly at?: number;
  readonly notes: readonly string[];
  readonly error?: AppError;
}

const nobody: Asked = { ids: [], notes: [] };

const NOT_PREPARED =
  'The meanings of the templates are still being computed, so only words were compared. Use words that the template may have, or search again in a minute.';

export function createSearch({
  publicOne,
  ownOnes,
  words,
  meaning,
}: SearchDeps): Pick<TemplateLibrary, 'search' | 'suggest'> {
  const gathered = gatherer();
  // The index holds everything, so that it does not change with the library that is searched.
  const gather = () => gathered(publicOne(), ownOnes());

  /** Asks the public library, unless its most viewed templates are here already. */
  async function ask(library: PublicLibrary | undefined, filter: Filter, signal: AbortSignal, always: boolean) {
    if (!library) return nobody;
    const synced = await library.syncedAt();
    if (synced !== undefined && !always) {
      const isOld = Date.now() - synced > OLD_SYNC_MS;
      const note = `The list of the public library is from ${ago(synced)}: \`sluice templates sync\` brings it up to date.`;
      return { ids: [], at: synced, notes: isOld ? [note] : [] };
    }
    const started = Date.now();
    try {
      return answered(await library.search(filter, signal), started);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'cancelled') throw error;
      return { ids: [], notes: [], error };
    }
  }

  function noteOf({ error }: Asked, { known }: Gathered): string[] {
    if (!error) return [];
    const rest = known.size > 0 ? 'Only what was read before and libraries of your own are searched.' : '';
    return [`${error.message} ${rest}`.trim()];
  }

  async function search(wanted: Wanted, signal: AbortSignal, catalogue?: Catalogue): Promise<Found> {
    const { library, query = '' } = wanted;
    const published = library === undefined || library === PUBLIC ? publicOne() : undefined;
    if (library !== undefined && !published && !ownOnes().some(({ name }) => name === library))
      throw noLibrary(library, ownOnes(), publicOne());
    const nodes = (wanted.nodes ?? []).map((one) => wantedNode(one, catalogue));
    const category = wanted.category === undefined ? undefined : await categoryOf(published, wanted.category, signal);
    const filter = filterOf(query, nodes, category?.name);
    let asked = await ask(published, filter, signal, category !== undefined);
    const chosen = pick(nodes, category?.name, wanted);
    let all = await gather();
    let templates = await find(query, all, asked, chosen);
    // A category that does not exist is not found with other words either.
    const others = category?.notes.length ? [] : looser(query);
    for (const questions of [[query], ...others]) {
      if (templates.length > 0 || !published || asked.error) break;
      for (const words of questions)
        if (!asked.error) asked = await ask(published, filterOf(words, nodes, category?.name), signal, true);
      all = await gather();
      templates = await find(query, all, asked, chosen);
    }
    if (asked.error && all.known.size === 0) throw asked.error;
    const notes = [...asked.notes, ...noteOf(asked, all), ...all.notes, ...(category?.notes ?? [])];
    if (templates.length === 0 && meaning?.isReady === false && all.known.size > 0 && query.trim() !== '') {
      templates = await find(query, all, asked, chosen, MODEL_MS);
      if (!meaning.isReady) notes.push(NOT_PREPARED);
    }
    return { templates, notes, ...(await ageOf(asked, templates, published)) };
  }

  /** If the library is away, the age of the oldest entry. */
  async function ageOf({ at, error }: Asked, found: readonly TemplateSummary[], library: PublicLibrary | undefined) {
    const kept = error && (await library?.known());
    const times = found.flatMap(({ id }) => kept?.get(id)?.at ?? []);
    const oldest = at ?? (times.length > 0 ? Math.min(...times) : undefined);
    return oldest === undefined ? {} : { asOf: new Date(oldest).toISOString() };
  }

  async function find(
    query: string,
    { known }: Gathered,
    asked: Asked,
    chosen: (one: TemplateSummary) => boolean,
    waitMs = 0,
  ) {
    meaning?.update(known);
    if (query.trim() === '') {
      const first = asked.ids.flatMap((id) => known.get(id) ?? []);
      return [...new Set([...first, ...byViews(known.values())])].filter(chosen).slice(0, MOST_FOUND);
    }
    // The model works in another thread; meanwhile this one looks at the words.
    const nearest = meaning?.near(query, waitMs);
    await words.update(known);
    const isChosen = (id: string) => {
      const template = known.get(id);
      return template !== undefined && chosen(template);
    };
    const worded = words.find(query, known.size).filter(isChosen).slice(0, MOST_FOUND);
    const near = (await nearest) ?? [];
    return fused(
      [
        { ids: worded, weight: 1 },
        { ids: near.filter(isChosen).slice(0, MOST_NEAR), weight: MEANING },
        { ids: asked.ids.filter(isChosen), weight: SERVICE },
      ],
      known,
    ).slice(0, MOST_FOUND);
  }

  async function suggest(given: readonly string[], signal: AbortSignal, catalogue?: Catalogue) {
    const nodes = given.map((one) => wantedNode(one, catalogue));
    const published = publicOne();
    const filter = filterOf('', nodes, undefined);
    let asked = await ask(published, filter, signal, false);
    let all = await gather();
    let suggested: Suggested[] = coverage(all.known.values(), nodes);
    const isWhole = () => suggested[0]?.covered.length === nodes.length;
    // First for all of the nodes at once, then for each of them.
    const narrower = [filter, ...nodes.slice(0, MOST_ASKED).map((node) => filterOf('', [node], undefined))];
    for (const one of narrower) {
      if (isWhole() || !published || asked.error) break;
      asked = await ask(published, one, signal, true);
      all = await gather();
      suggested = coverage(all.known.values(), nodes);
    }
    if (asked.error && all.known.size === 0) throw asked.error;
    const notes = [...asked.notes, ...noteOf(asked, all), ...all.notes];
    const found = suggested.slice(0, MOST_FOUND).map(({ template }) => template);
    return { suggested, notes, ...(await ageOf(asked, found, published)) };
  }

  return { search, suggest };
}

function answered({ value, at, note }: Answer<Page>, started: number): Asked {
  return {
    ids: value.templates.map(({ id }) => id),
    ...(at < started && { at }),
    notes: note === undefined ? [] : [note],
  };
}

function filterOf(query: string, nodes: readonly WantedNode[], category: string | undefined): Filter {
  const types = nodes.flatMap((node) => node.types.slice(0, 1));
  // A name that cannot be resolved to a type is at least a word to search for.
  const unresolved = nodes.filter((node) => node.types.length === 0).map(({ given }) => given);
  const search = [query.trim(), ...unresolved].filter((text) => text !== '').join(' ');
  return {
    ...(search !== '' && { search: search.slice(0, 300) }),
    ...(types.length > 0 && { nodes: types }),
    ...(category !== undefined && { category }),
  };
}

function pick(nodes: readonly WantedNode[], category: string | undefined, { library, fits }: Wanted) {
  const small = category?.toLowerCase();
  return (template: TemplateSummary): boolean =>
    (library === undefined || template.library === library) &&
    nodes.every((node) => template.nodes.some(node.matches)) &&
    (small === undefined || (template.categories ?? []).some((one) => one.toLowerCase() === small)) &&
    (fits?.(template) ?? true);
}

/** The category as the library spells it. */
async function categoryOf(library: PublicLibrary | undefined, given: string, signal: AbortSignal) {
  const small = given.trim().toLowerCase();
  try {
    const { value: names } = (await library?.categories(signal)) ?? { value: [] };
    const name = names.find((one) => one.toLowerCase() === small);
    if (name !== undefined || names.length === 0) return { name: name ?? given.trim(), notes: [] };
    const notes = [
      `The public library has no category ${given.trim().slice(0, 60)}. It has ${names.slice(0, 40).join(', ')}.`,
    ];
    return { name: given.trim(), notes };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'cancelled') throw error;
    return { name: given.trim(), notes: [] };
  }
}
