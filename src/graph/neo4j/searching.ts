import type { Node } from 'neo4j-driver';
import { termsOf } from '../../kernel/terms.ts';
import type { Hit, Observation, Query } from '../engine.ts';
import { foldedName } from '../names.ts';
import { aboutWords } from '../words.ts';
import type { Run } from './connection.ts';
import { type Whole, wholeOf } from './entity.ts';
import { isValid, validAt } from './validity.ts';

/** Words are compared with their beginnings too, which counts less. */
const BEGINNING = 0.4;
const WEIGHTS = { name: 3, about: 1.5, observation: 1 };
const SAME_NAME = 20;
/** More words find nothing more. */
const MOST_TERMS = 16;
/** So many entities, those with the most words, are compared closely. */
const MOST_CANDIDATES = 1000;
const SHOWN = 3;

type Place = keyof typeof WEIGHTS;
const PLACES = ['name', 'about', 'observation'] as const satisfies readonly Place[];

interface Found {
  readonly entity: Whole;
  /** How well each term is found in each place. */
  readonly terms: ReadonlyMap<string, ReadonlyMap<Place, number>>;
  readonly observations: readonly Observation[];
}

export async function search(run: Run, query: Query): Promise<Hit[]> {
  const terms = [...new Set(query.terms)].slice(0, MOST_TERMS);
  const byWords = terms.length > 0 ? await searchWords(run, query, terms) : [];
  const hits = byWords.length > 0 ? byWords : await containing(run, query);
  return hits.slice(query.skip, query.skip + query.limit);
}

/** An entity with a rare word is better than one with a frequent word; each word counts once, where it counts most. */
async function searchWords(run: Run, { text, asOf }: Query, terms: readonly string[]): Promise<Hit[]> {
  const { rows } = await run<{ n: Node }>(
    `MATCH (n:Entity) WHERE ${validAt('n', asOf)}
     WITH n, size([term IN $terms WHERE any(word IN n.search_words WHERE word STARTS WITH term)]) AS hits
     WHERE hits > 0 RETURN n ORDER BY hits DESC, n.sequence LIMIT $most`,
    { asOf, terms, most: MOST_CANDIDATES },
  );
  const { rows: counted } = await run<{ count: bigint }>('MATCH (n:Entity) RETURN count(n) AS count');
  const total = Number(counted[0]?.count ?? 0n);
  const found = rows.map(({ n }) => foundIn(wholeOf(n), terms, asOf)).filter(({ terms: some }) => some.size > 0);
  const rare = new Map(
    terms.map((term) => {
      const frequency = found.filter((one) => one.terms.has(term)).length;
      return [term, Math.log(1 + total / Math.max(1, frequency))];
    }),
  );
  const scored = found.map((one) => ({
    ...one,
    score:
      [...one.terms].reduce((sum, [term, places]) => {
        const best = Math.max(...[...places].map(([place, part]) => part * WEIGHTS[place]));
        return sum + best * (rare.get(term) ?? 0);
      }, 0) + (foldedName(one.entity.name) === text ? SAME_NAME : 0),
  }));
  return scored
    .sort((a, b) => b.score - a.score || (a.entity.sequence < b.entity.sequence ? -1 : 1))
    .map(({ entity, terms: some, observations, score }) => ({
      name: entity.name,
      type: entity.type,
      score,
      where: PLACES.filter((place) => [...some.values()].some((places) => places.has(place))),
      observations: observations.slice(0, SHOWN),
    }));
}

function foundIn(entity: Whole, terms: readonly string[], asOf: Query['asOf']): Found {
  const observations = entity.observations
    .filter((one) => isValid(one, asOf))
    .map((one) => ({ one, words: termsOf(one.text) }));
  const words: Record<Place, readonly string[]> = {
    name: termsOf(entity.name),
    about: aboutWords(entity.type, entity.properties).split(' '),
    observation: observations.flatMap((one) => one.words),
  };
  const places = terms.map((term): [string, Map<Place, number>] => [
    term,
    new Map(PLACES.map((place): [Place, number] => [place, partOf(term, words[place])]).filter(([, part]) => part > 0)),
  ]);
  const ranked = observations
    .map(({ one, words: own }) => ({ one, part: terms.reduce((sum, term) => sum + partOf(term, own), 0) }))
    .filter(({ part }) => part > 0)
    .toReversed()
    .sort((a, b) => b.part - a.part);
  return {
    entity,
    terms: new Map(places.filter(([, some]) => some.size > 0)),
    observations: ranked.map(({ one }) => one),
  };
}

function partOf(term: string, words: readonly string[]): number {
  if (words.includes(term)) return 1;
  return words.some((word) => word.startsWith(term)) ? BEGINNING : 0;
}

/** Entities that contain the text as it was asked. */
async function containing(run: Run, { text, asOf, skip, limit }: Query): Promise<Hit[]> {
  if (text === '') return [];
  const { rows } = await run<{ n: Node }>(
    `MATCH (n:Entity) WHERE ${validAt('n', asOf)} AND (
       toLower(coalesce(n.folded_name, n.name)) CONTAINS $text OR any(label IN labels(n) WHERE toLower(label) CONTAINS $text)
       OR any(known IN coalesce(n.observations, []) WHERE toLower(known) CONTAINS $text))
     RETURN n ORDER BY n.sequence LIMIT $most`,
    { text, asOf, most: MOST_CANDIDATES + skip + limit },
  );
  const hits = rows.flatMap(({ n }): Hit[] => {
    const { name, type, observations: all } = wholeOf(n);
    const observations = all.filter((one) => isValid(one, asOf) && one.text.toLowerCase().includes(text)).toReversed();
    const where = [
      ...(foldedName(name).includes(text) ? (['name'] as const) : []),
      ...(type.toLowerCase().includes(text) ? (['about'] as const) : []),
      ...(observations.length > 0 ? (['observation'] as const) : []),
    ];
    if (where.length === 0) return [];
    const score = where.reduce((sum, place) => sum + WEIGHTS[place], 0);
    return [{ name, type, score, where, observations: observations.slice(0, SHOWN) }];
  });
  return hits.sort((a, b) => b.score - a.score);
}
