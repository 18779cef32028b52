import type { Endings, ObservationNames, RelationName } from '../engine.ts';
import { nothingToEnd } from '../names.ts';
import type { Statement } from '../../store/store.ts';
import { digestOf } from './rows.ts';
import { again, find, findAll, type Found, type GraphTables } from './tables.ts';

/** An observation of an entity, by its text or its key. */
const OBSERVATION = { entity: 'bigint', digest: 'text', name: 'text' } as const;
const RELATION = { source: 'bigint', type: 'text', target: 'bigint' } as const;

const isObservation = 'o.entity = g.entity AND (o.digest = g.digest OR o.key = g.name)';
const isRelation = 'r.source = g.source AND r.type = g.type AND r.target = g.target';
const validAt = (row: string) => `${row}.valid_from <= ? AND ${row}.valid_to > ?`;

type Names = ReadonlyMap<string, Found>;

const observationRows = (asked: readonly ObservationNames[], found: Names) =>
  asked.flatMap(({ entity, observations }) => {
    const id = found.get(entity)?.id;
    return id === undefined ? [] : observations.map((name) => ({ entity: id, digest: digestOf(name), name }));
  });

const relationRows = (asked: readonly RelationName[], found: Names) =>
  asked.flatMap(({ from, type, to }) => {
    const [source, target] = [found.get(from)?.id, found.get(to)?.id];
    return source === undefined || target === undefined ? [] : [{ source, type, target }];
  });

const namesIn = ({ entities = [], observations = [], relations = [] }: Partial<Endings>): string[] => [
  ...new Set([
    ...entities,
    ...observations.map(({ entity }) => entity),
    ...relations.flatMap(({ from, to }) => [from, to]),
  ]),
];

export async function end(tables: GraphTables, what: Endings, at: string): Promise<void> {
  const { dialect } = tables;
  await again(async () => {
    const found = await findAll(tables, namesIn(what));
    const ids = [...new Set(what.entities.map((name) => (found.get(name) as Found).id))];
    const observations = await there(tables, what.observations, found, at);
    const relations = await thereRelations(tables, what.relations, found, at);
    const ending = (table: string, all: readonly number[]): Statement => ({
      sql: `UPDATE ${table} SET valid_to = ? WHERE id ${dialect.isId} AND valid_from <= ? AND valid_to > ?`,
      values: [at, JSON.stringify(all), at, at],
      expect: all.length,
    });
    const ended = await tables.rows<{ id: number; name: string }>(
      `SELECT e.id, e.name FROM graph_entities e WHERE e.id ${dialect.isId} AND NOT (${validAt('e')})`,
      JSON.stringify(ids),
      at,
      at,
    );
    if (ended.length > 0) throw nothingToEnd({ entities: ended.map(({ name }) => name) });
    return tables.write([
      ending('graph_entities', ids),
      ending('graph_observations', observations),
      ending('graph_relations', relations),
    ]);
  });
}

/** The ids of the observations that are valid at this time. Throws if one is not. */
async function there({ rows, dialect }: GraphTables, asked: Endings['observations'], found: Names, at: string) {
  const valid = await rows<{ id: number; entity: number; digest: string; name: string }>(
    `SELECT o.id, g.entity, g.digest, g.name FROM ${dialect.given(OBSERVATION)} AS g
     JOIN graph_observations o ON ${isObservation} WHERE ${validAt('o')}`,
    JSON.stringify(observationRows(asked, found)),
    at,
    at,
  );
  const missing = leftOut(asked, found, valid);
  if (missing.length > 0) throw nothingToEnd({ observations: missing });
  return [...new Set(valid.map(({ id }) => id))];
}

async function thereRelations({ rows, dialect }: GraphTables, asked: Endings['relations'], found: Names, at: string) {
  const valid = await rows<{ id: number; source: number; type: string; target: number }>(
    `SELECT r.id, r.source, r.type, r.target FROM ${dialect.given(RELATION)} AS g
     JOIN graph_relations r ON ${isRelation} WHERE ${validAt('r')}`,
    JSON.stringify(relationRows(asked, found)),
    at,
    at,
  );
  const missing = leftOutRelations(asked, found, valid);
  if (missing.length > 0) throw nothingToEnd({ relations: missing });
  return [...new Set(valid.map(({ id }) => id))];
}

const leftOut = (
  asked: readonly ObservationNames[],
  found: Names,
  known: readonly { entity: number; name: string }[],
): ObservationNames[] => {
  const there = new Set(known.map(({ entity, name }) => JSON.stringify([entity, name])));
  return asked.flatMap(({ entity, observations }) => {
    const gone = observations.filter((name) => !there.has(JSON.stringify([found.get(entity)?.id, name])));
    return gone.length > 0 ? [{ entity, observations: gone }] : [];
  });
};

const leftOutRelations = (
  asked: readonly RelationName[],
  found: Names,
  known: readonly { source: number; type: string; target: number }[],
): RelationName[] => {
  const there = new Set(known.map(({ source, type, target }) => JSON.stringify([source, type, target])));
  return asked.filter(
    ({ from, type, to }) => !there.has(JSON.stringify([found.get(from)?.id, type, found.get(to)?.id])),
  );
};

export async function deleteEntities(
  tables: GraphTables,
  names: readonly string[],
): Promise<{ deleted: string[]; missing: string[] }> {
  const found = await find(tables, names);
  const entities = new Map([...found.values()].map((entity) => [entity.id, entity.name]));
  await tables.write([
    {
      sql: `DELETE FROM graph_entities WHERE id ${tables.dialect.isId}`,
      values: [JSON.stringify([...entities.keys()])],
    },
  ]);
  return { deleted: [...entities.values()], missing: names.filter((name) => !found.has(name)) };
}

export async function deleteObservations(
  tables: GraphTables,
  deletions: readonly ObservationNames[],
): Promise<{ deleted: number; missing: ObservationNames[] }> {
  const { rows, dialect } = tables;
  const found = await find(tables, namesIn({ observations: deletions }));
  const given = JSON.stringify(observationRows(deletions, found));
  const known = await rows<{ entity: number; name: string }>(
    `SELECT g.entity, g.name FROM ${dialect.given(OBSERVATION)} AS g JOIN graph_observations o ON ${isObservation}`,
    given,
  );
  const [deleted = 0] =
    (await tables.write([
      {
        sql: `DELETE FROM graph_observations WHERE id IN (
                SELECT o.id FROM ${dialect.given(OBSERVATION)} AS g JOIN graph_observations o ON ${isObservation}
              )`,
        values: [given],
      },
    ])) ?? [];
  return { deleted, missing: leftOut(deletions, found, known) };
}

export async function deleteRelations(
  tables: GraphTables,
  relations: readonly RelationName[],
): Promise<{ deleted: number; missing: RelationName[] }> {
  const { rows, dialect } = tables;
  const found = await find(tables, namesIn({ relations }));
  const given = JSON.stringify(relationRows(relations, found));
  const known = await rows<{ source: number; type: string; target: number }>(
    `SELECT g.source, g.type, g.target FROM ${dialect.given(RELATION)} AS g JOIN graph_relations r ON ${isRelation}`,
    given,
  );
  const [deleted = 0] =
    (await tables.write([
      {
        sql: `DELETE FROM graph_relations WHERE id IN (
                SELECT r.id FROM ${dialect.given(RELATION)} AS g JOIN graph_relations r ON ${isRelation}
              )`,
        values: [given],
      },
    ])) ?? [];
  return { deleted, missing: leftOutRelations(relations, found, known) };
}
