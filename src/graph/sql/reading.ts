import type { AsOf, Entity, Head, Observation, Opened, Page, PageOf, Reading, Relation, Stats } from '../engine.ts';
import { at, valid } from './dialect.ts';
import { entityOf, type EntityRow, observationOf, type ObservationRow, relationOf, type RelationRow } from './rows.ts';
import { find, findAll, type GraphTables } from './tables.ts';

/** A relation is valid only while its entities are. */
export const RELATIONS = `graph_relations r JOIN graph_entities f ON f.id = r.source JOIN graph_entities t ON t.id = r.target`;
const RELATION = 'r.*, f.name AS from_name, t.name AS to_name';
const RELATION_VALID = `${valid('r')} AND ${valid('f')} AND ${valid('t')}`;
const relationAt = (asOf: AsOf) => [...at(asOf), ...at(asOf), ...at(asOf)];

const COUNTS = `(SELECT count(*) FROM graph_observations o WHERE o.entity = e.id AND ${valid('o')}) AS observation_count,
  (SELECT count(*) FROM ${RELATIONS} WHERE (r.source = e.id OR r.target = e.id) AND ${RELATION_VALID}) AS relation_count`;
const countsAt = (asOf: AsOf) => [...at(asOf), ...relationAt(asOf)];

/** Entities with their observations, in the order of the ids. */
export async function entitiesById(tables: GraphTables, ids: readonly number[], reading: Reading): Promise<Entity[]> {
  const { rows, dialect } = tables;
  if (ids.length === 0) return [];
  const found = await rows<EntityRow>(
    `SELECT e.*, ${COUNTS} FROM graph_entities e WHERE e.id ${dialect.isId}`,
    ...countsAt(reading.asOf),
    JSON.stringify(ids),
  );
  const byId = new Map(found.map((row) => [row.id, row]));
  return withObservations(
    tables,
    ids.flatMap((id) => byId.get(id) ?? []),
    reading,
  );
}

async function withObservations({ rows, dialect }: GraphTables, entities: readonly EntityRow[], reading: Reading) {
  const observations = await rows<ObservationRow>(
    `SELECT * FROM (
       SELECT o.id, o.key, o.entity, o.text, o.recorded_at, o.valid_from, o.valid_to, o.author,
         row_number() OVER (PARTITION BY o.entity ORDER BY o.id) AS nth
       FROM graph_observations o WHERE o.entity ${dialect.isId} AND ${valid('o')}
     ) AS numbered WHERE nth <= ? ORDER BY id`,
    JSON.stringify(entities.map(({ id }) => id)),
    ...at(reading.asOf),
    reading.observations,
  );
  const of = Map.groupBy(observations, ({ entity }) => entity);
  return entities.map((row) => entityOf(row, of.get(row.id) ?? []));
}

export async function relationsById({ rows, dialect }: GraphTables, ids: readonly number[]): Promise<RelationRow[]> {
  return rows<RelationRow>(
    `SELECT ${RELATION} FROM ${RELATIONS} WHERE r.id ${dialect.isId} ORDER BY r.id`,
    JSON.stringify(ids),
  );
}

export async function open(
  tables: GraphTables,
  names: readonly string[],
  { relations: most, ...reading }: Reading & { relations: number },
): Promise<Opened> {
  const { rows, dialect } = tables;
  const found = await find(tables, names);
  const ids = [...new Set([...found.values()].map(({ id }) => id))];
  const valued = await rows<{ id: number }>(
    `SELECT e.id FROM graph_entities e WHERE e.id ${dialect.isId} AND ${valid('e')}`,
    JSON.stringify(ids),
    ...at(reading.asOf),
  );
  const there = new Set(valued.map(({ id }) => id));
  const listed = JSON.stringify([...there]);
  const [entities, relations] = await Promise.all([
    entitiesById(
      tables,
      ids.filter((id) => there.has(id)),
      reading,
    ),
    rows<RelationRow>(
      `SELECT ${RELATION} FROM ${RELATIONS}
       WHERE (r.source ${dialect.isId} OR r.target ${dialect.isId}) AND ${RELATION_VALID} ORDER BY r.id LIMIT ?`,
      listed,
      listed,
      ...relationAt(reading.asOf),
      most + 1,
    ),
  ]);
  return {
    entities,
    relations: relations.slice(0, most).map(relationOf),
    more: relations.length > most,
    missing: names.filter((name) => !there.has(found.get(name)?.id ?? 0)),
  };
}

export async function observationsOf(tables: GraphTables, name: string, page: Page): Promise<PageOf<Observation>> {
  const { id } = (await findAll(tables, [name])).get(name) as { id: number };
  const rows = await tables.rows<ObservationRow>(
    `SELECT o.* FROM graph_observations o WHERE o.entity = ? AND o.id > ? AND ${valid('o')} ORDER BY o.id LIMIT ?`,
    id,
    Number(page.after ?? 0),
    ...at(page.asOf),
    page.limit + 1,
  );
  return pageOf(rows, page, observationOf);
}

export async function entitiesPage(tables: GraphTables, page: Page & Reading): Promise<PageOf<Entity>> {
  const rows = await tables.rows<EntityRow>(
    `SELECT e.*, ${COUNTS} FROM graph_entities e WHERE e.id > ? AND ${valid('e')} ORDER BY e.id LIMIT ?`,
    ...countsAt(page.asOf),
    Number(page.after ?? 0),
    ...at(page.asOf),
    page.limit + 1,
  );
  const { items, ...rest } = pageOf(rows, page, (row) => row);
  return { items: await withObservations(tables, items, page), ...rest };
}

export async function relationsPage(tables: GraphTables, page: Page): Promise<PageOf<Relation>> {
  const rows = await tables.rows<RelationRow>(
    `SELECT ${RELATION} FROM ${RELATIONS} WHERE r.id > ? AND ${RELATION_VALID} ORDER BY r.id LIMIT ?`,
    Number(page.after ?? 0),
    ...relationAt(page.asOf),
    page.limit + 1,
  );
  return pageOf(rows, page, relationOf);
}

export async function headsPage(tables: GraphTables, page: Page): Promise<PageOf<Head>> {
  const rows = await tables.rows<Head & { id: number }>(
    `SELECT e.id, e.name, e.type FROM graph_entities e WHERE e.id > ? AND ${valid('e')} ORDER BY e.id LIMIT ?`,
    Number(page.after ?? 0),
    ...at(page.asOf),
    page.limit + 1,
  );
  return pageOf(rows, page, ({ name, type }) => ({ name, type }));
}

function pageOf<Row extends { id: number }, T>(rows: readonly Row[], { limit }: Page, as: (row: Row) => T): PageOf<T> {
  const shown = rows.slice(0, limit);
  return { items: shown.map(as), ...(rows.length > limit && { next: String(shown.at(-1)?.id) }) };
}

export async function stats({ rows }: GraphTables, asOf: AsOf): Promise<Stats> {
  const [entityTypes, relationTypes, observations] = await Promise.all([
    rows<Stats['entityTypes'][number]>(
      `SELECT e.type, count(*) AS count FROM graph_entities e WHERE ${valid('e')} GROUP BY e.type ORDER BY 2 DESC, 1`,
      ...at(asOf),
    ),
    rows<Stats['relationTypes'][number]>(
      `SELECT r.type, count(*) AS count FROM ${RELATIONS} WHERE ${RELATION_VALID} GROUP BY r.type ORDER BY 2 DESC, 1`,
      ...relationAt(asOf),
    ),
    rows<{ count: number }>(
      `SELECT count(*) AS count FROM graph_observations o JOIN graph_entities e ON e.id = o.entity
       WHERE ${valid('o')} AND ${valid('e')}`,
      ...at(asOf),
      ...at(asOf),
    ),
  ]);
  const sum = (counts: readonly { count: number }[]) => counts.reduce((all, { count }) => all + count, 0);
  return {
    entities: sum(entityTypes),
    observations: sum(observations),
    relations: sum(relationTypes),
    entityTypes: entityTypes.map((row) => ({ ...row })),
    relationTypes: relationTypes.map((row) => ({ ...row })),
  };
}

export async function stored({ rows }: GraphTables, principal: string): Promise<number> {
  const of = (table: string) => `(SELECT coalesce(sum(bytes), 0) FROM ${table} WHERE owner = ?)`;
  const [row] = await rows<{ bytes: number | string }>(
    `SELECT ${of('graph_entities')} + ${of('graph_observations')} + ${of('graph_relations')} AS bytes`,
    principal,
    principal,
    principal,
  );
  return Number(row?.bytes ?? 0);
}
