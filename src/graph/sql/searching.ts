import type { Hit, Query } from '../engine.ts';
import { at, valid } from './dialect.ts';
import { observationOf, type ObservationRow } from './rows.ts';
import type { GraphTables } from './tables.ts';

/** Words are compared with their beginnings too, which counts less. */
const BEGINNING = 0.4;
const WEIGHTS = { name: 3, about: 1.5, observation: 1 };
const SAME_NAME = 20;
/** More words find nothing more. */
const MOST_TERMS = 16;
const SHOWN = 3;
const ASKED = { term: 'text', match: 'text', part: 'text' } as const;

interface HitRow {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly score: number;
  readonly in_name: number;
  readonly in_about: number;
  readonly in_observation: number;
}

export async function search(tables: GraphTables, query: Query): Promise<Hit[]> {
  const byWords = query.terms.length > 0 ? await searchWords(tables, query) : [];
  if (byWords.length > 0) return byWords;
  // A later page has nothing more to add.
  if (
    query.skip > 0 &&
    query.terms.length > 0 &&
    (await searchWords(tables, { ...query, skip: 0, limit: 1 })).length > 0
  )
    return [];
  return containing(tables, query);
}

function askedFor({ dialect }: GraphTables, { terms }: Query): string {
  return JSON.stringify(
    [...new Set(terms)].slice(0, MOST_TERMS).flatMap((term) => [
      { term, match: dialect.term(term, false), part: '1' },
      { term, match: dialect.term(term, true), part: String(BEGINNING) },
    ]),
  );
}

/** An entity with a rare word is better than one with a frequent word; each word counts once, where it counts most. */
async function searchWords(tables: GraphTables, query: Query): Promise<Hit[]> {
  const { rows, dialect } = tables;
  const asked = askedFor(tables, query);
  const found = (place: keyof typeof WEIGHTS, entity: string, row: string) =>
    `SELECT asked.term, ${entity} AS entity, CAST(asked.part AS real) * ${WEIGHTS[place]} AS weight,
       ${(['name', 'about', 'observation'] as const).map((one) => (one === place ? 1 : 0)).join(', ')}
     FROM asked ${dialect.match[place]} WHERE ${valid(row)}`;
  const hits = await rows<HitRow>(
    `WITH asked AS (SELECT term, match, part FROM ${dialect.given(ASKED)} AS g),
     hits (term, entity, weight, in_name, in_about, in_observation) AS (
       ${found('name', 'e.id', 'e')} UNION ALL ${found('about', 'e.id', 'e')} UNION ALL
       ${found('observation', 'o.entity', 'o')}
     ),
     best AS (
       SELECT term, entity, max(weight) AS weight, max(in_name) AS in_name, max(in_about) AS in_about,
         max(in_observation) AS in_observation
       FROM hits GROUP BY term, entity
     ),
     rare AS (
       SELECT term, ln(1.0 + (SELECT count(*) FROM graph_entities) / (1.0 * count(*))) AS weight FROM best GROUP BY term
     )
     SELECT e.id, e.name, e.type, max(best.in_name) AS in_name, max(best.in_about) AS in_about,
       max(best.in_observation) AS in_observation,
       sum(best.weight * rare.weight) + CASE WHEN e.folded = ? THEN ${SAME_NAME} ELSE 0 END AS score
     FROM best JOIN rare ON rare.term = best.term JOIN graph_entities e ON e.id = best.entity
     WHERE ${valid('e')} GROUP BY e.id, e.name, e.type, e.folded ORDER BY score DESC, e.id LIMIT ? OFFSET ?`,
    asked,
    ...at(query.asOf),
    ...at(query.asOf),
    ...at(query.asOf),
    query.text,
    ...at(query.asOf),
    query.limit,
    query.skip,
  );
  const observations = await rows<ObservationRow>(
    `WITH asked AS (SELECT term, match, part FROM ${dialect.given(ASKED)} AS g),
     hits AS (
       SELECT o.id, o.entity, asked.term, max(CAST(asked.part AS real)) AS weight
       FROM asked ${dialect.match.observation}
       WHERE o.entity ${dialect.isId} AND ${valid('o')} GROUP BY o.id, o.entity, asked.term
     ),
     ranked AS (
       SELECT id, row_number() OVER (PARTITION BY entity ORDER BY sum(weight) DESC, id DESC) AS nth
       FROM hits GROUP BY id, entity
     )
     SELECT o.* FROM ranked JOIN graph_observations o ON o.id = ranked.id WHERE nth <= ${SHOWN} ORDER BY nth`,
    asked,
    JSON.stringify(hits.map(({ id }) => id)),
    ...at(query.asOf),
  );
  return hitsOf(hits, observations);
}

/** Entities that contain the text as it was asked. */
async function containing({ rows, dialect }: GraphTables, query: Query): Promise<Hit[]> {
  const { text, asOf } = query;
  if (text === '') return [];
  const within = (column: string) => `${dialect.position}(${column}, ?) > 0`;
  const hits = await rows<HitRow>(
    `SELECT * FROM (
       SELECT e.id, e.name, e.type, CASE WHEN ${within('e.folded')} THEN 1 ELSE 0 END AS in_name,
         CASE WHEN ${within('lower(e.type)')} THEN 1 ELSE 0 END AS in_about,
         CASE WHEN EXISTS (
           SELECT 1 FROM graph_observations o WHERE o.entity = e.id AND ${within('lower(o.text)')} AND ${valid('o')}
         ) THEN 1 ELSE 0 END AS in_observation
       FROM graph_entities e WHERE ${valid('e')}
     ) AS found WHERE in_name + in_about + in_observation > 0
     ORDER BY in_name DESC, in_about DESC, id LIMIT ? OFFSET ?`,
    text,
    text,
    text,
    ...at(asOf),
    ...at(asOf),
    query.limit,
    query.skip,
  );
  const observations = await rows<ObservationRow>(
    `SELECT * FROM (
       SELECT o.id, o.key, o.entity, o.text, o.recorded_at, o.valid_from, o.valid_to, o.author,
         row_number() OVER (PARTITION BY o.entity ORDER BY o.id DESC) AS nth
       FROM graph_observations o WHERE o.entity ${dialect.isId} AND ${within('lower(o.text)')} AND ${valid('o')}
     ) AS found WHERE nth <= ${SHOWN} ORDER BY nth`,
    JSON.stringify(hits.map(({ id }) => id)),
    text,
    ...at(asOf),
  );
  return hitsOf(
    hits.map((hit) => ({
      ...hit,
      score: hit.in_name * WEIGHTS.name + hit.in_about * WEIGHTS.about + hit.in_observation,
    })),
    observations,
  );
}

function hitsOf(hits: readonly HitRow[], observations: readonly ObservationRow[]): Hit[] {
  const of = Map.groupBy(observations, ({ entity }) => entity);
  return hits.map(({ id, name, type, score, in_name, in_about, in_observation }) => ({
    name,
    type,
    score,
    where: [
      ...(in_name ? (['name'] as const) : []),
      ...(in_about ? (['about'] as const) : []),
      ...(in_observation ? (['observation'] as const) : []),
    ],
    observations: (of.get(id) ?? []).map(observationOf),
  }));
}
