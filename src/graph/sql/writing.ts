import type {
  Author,
  Created,
  EntityChange,
  Entity,
  NewEntity,
  NewObservation,
  NewObservations,
  NewRelation,
  Observed,
  Properties,
  Relation,
} from '../engine.ts';
import { createPace } from '../../kernel/pace.ts';
import type { Statement } from '../../store/store.ts';
import { foldedName, nameTaken } from '../names.ts';
import { aboutWords, wordsOf } from '../words.ts';
import { OPEN_END, OPEN_START } from './dialect.ts';
import { entitiesById, relationsById } from './reading.ts';
import { COLUMNS, digestOf, type EntityRow, newRow, observationOf, type ObservationRow, relationOf } from './rows.ts';
import { again, find, findAll, type Found, type GraphTables, stillThere } from './tables.ts';

/** An answer repeats so many observations of an entity, and counts the others. */
const ANSWER = { asOf: 'any', observations: 1000 } as const;

/** Whether the periods of two rows have a moment in common. */
const overlap = (a: string, b: string) => `${a}.valid_from < ${b}.valid_to AND ${b}.valid_from < ${a}.valid_to`;

const ENTITY = {
  ...COLUMNS,
  name: 'text',
  folded: 'text',
  type: 'text',
  properties: 'text',
  name_words: 'text',
  about_words: 'text',
} as const;
const OBSERVATION = { ...COLUMNS, text: 'text', digest: 'text', words: 'text' } as const;
const RELATION = { ...COLUMNS, source: 'bigint', type: 'text', target: 'bigint', properties: 'text' } as const;

const names = (columns: object, row = '') =>
  Object.keys(columns)
    .map((name) => (row === '' ? name : `${row}.${name}`))
    .join(', ');

export async function create(tables: GraphTables, entities: readonly NewEntity[], by: Author): Promise<Created> {
  const { dialect } = tables;
  const now = new Date().toISOString();
  const pace = createPace();
  const made = await Array.fromAsync(entities, async (entity) => {
    await pace();
    return {
      ...newRow(entity, by, now),
      name: entity.name,
      folded: foldedName(entity.name),
      type: entity.type,
      properties: JSON.stringify(entity.properties ?? {}),
      name_words: wordsOf(entity.name),
      about_words: aboutWords(entity.type, entity.properties ?? {}),
    };
  });
  const observations = await newObservations(
    entities.flatMap(({ name, observations: texts = [] }) => texts.map((one) => ({ ...one, entity: name }))),
    by,
    now,
  );
  const asked = JSON.stringify(made.map(({ name }) => name));
  const exact = `SELECT id, key, name FROM graph_entities WHERE name ${dialect.isText}`;
  return again(async () => {
    const written = await tables.write([
      {
        sql: `INSERT INTO graph_entities (${names(ENTITY)})
              SELECT ${names(ENTITY)} FROM ${dialect.given(ENTITY)} AS g WHERE true ORDER BY nth
              ON CONFLICT (name) DO NOTHING`,
        values: [JSON.stringify(made)],
      },
      {
        sql: insertObservations(tables, 'text', 'JOIN graph_entities e ON e.name = g.entity'),
        values: [JSON.stringify(observations)],
      },
    ]);
    if (!written) return undefined;
    const rows = await tables.rows<Found & { key: string }>(exact, asked);
    const ids = new Map(rows.map(({ name, id }) => [name, id]));
    // Deleted by somebody else since.
    if (made.some(({ name }) => !ids.has(name))) return undefined;
    const keys = new Set(made.map(({ key }) => key));
    const isOurs = new Map(rows.map(({ name, key }) => [name, keys.has(key)]));
    const own = made.filter(({ name }) => isOurs.get(name));
    const others = entities.filter(({ name }) => !isOurs.get(name));
    return {
      created: await entitiesById(
        tables,
        own.map(({ name }) => ids.get(name) as number),
        ANSWER,
      ),
      existing: await observed(
        tables,
        others.map(({ name, observations: texts = [] }) => ({
          found: { id: ids.get(name) as number, name },
          texts: texts.map(({ text }) => text),
        })),
        new Set(observations.map(({ key }) => key)),
      ),
    };
  });
}

/** Finding the words of long texts takes a while, so others run in between. */
async function newObservations<E>(
  given: readonly (NewObservation & { readonly entity: E })[],
  by: Author,
  now: string,
) {
  const pace = createPace();
  return Array.fromAsync(given, async (one) => {
    await pace();
    return {
      ...newRow(one, by, now),
      entity: one.entity,
      text: one.text,
      digest: digestOf(one.text),
      words: wordsOf(one.text),
    };
  });
}

/** Adds the given observations that their entities do not have. */
const insertObservations = ({ dialect }: GraphTables, kind: 'text' | 'bigint', join: string): string =>
  `INSERT INTO graph_observations (entity, ${names(OBSERVATION)})
   SELECT e.id, ${names(OBSERVATION, 'g')} FROM ${dialect.given({ ...OBSERVATION, entity: kind })} AS g ${join}
   WHERE NOT EXISTS (
     SELECT 1 FROM graph_observations o WHERE o.entity = e.id AND o.digest = g.digest AND ${overlap('o', 'g')}
   ) ORDER BY g.nth
   ON CONFLICT (entity, digest, valid_to) DO NOTHING`;

export async function observe(
  tables: GraphTables,
  additions: readonly NewObservations[],
  by: Author,
): Promise<Observed[]> {
  const now = new Date().toISOString();
  return again(async () => {
    const found = await findAll(
      tables,
      additions.map(({ entity }) => entity),
    );
    const of = (entity: string) => found.get(entity) as Found;
    const rows = await newObservations(
      additions.flatMap(({ entity, observations }) => observations.map((one) => ({ ...one, entity: of(entity).id }))),
      by,
      now,
    );
    const written = await tables.write([
      stillThere(tables, new Set([...found.values()].map(({ id }) => id))),
      {
        sql: insertObservations(tables, 'bigint', 'JOIN graph_entities e ON e.id = g.entity'),
        values: [JSON.stringify(rows)],
      },
    ]);
    if (!written) return undefined;
    return observed(
      tables,
      additions.map(({ entity, observations }) => ({
        found: of(entity),
        texts: observations.map(({ text }) => text),
      })),
      new Set(rows.map(({ key }) => key)),
    );
  });
}

/** Which of the texts are the ones we wrote, and which were there. */
async function observed(
  { rows, dialect }: GraphTables,
  asked: readonly { found: Found; texts: readonly string[] }[],
  keys: ReadonlySet<string>,
): Promise<Observed[]> {
  const added = await rows<ObservationRow>(
    `SELECT * FROM graph_observations WHERE key ${dialect.isText} ORDER BY id`,
    JSON.stringify([...keys]),
  );
  const of = Map.groupBy(added, ({ entity }) => entity);
  return asked.map(({ found, texts }) => {
    const ours = of.get(found.id) ?? [];
    const written = new Set(ours.map(({ text }) => text));
    return {
      entity: found.name,
      added: ours.map(observationOf),
      existing: texts.filter((text) => !written.has(text)),
    };
  });
}

export async function relate(
  tables: GraphTables,
  relations: readonly NewRelation[],
  by: Author,
): Promise<{ created: Relation[]; existing: Relation[] }> {
  const { rows, dialect, write } = tables;
  const now = new Date().toISOString();
  return again(async () => {
    const found = await findAll(tables, [...new Set(relations.flatMap(({ from, to }) => [from, to]))]);
    const idOf = (name: string) => (found.get(name) as Found).id;
    const made = relations.map((relation) => ({
      ...newRow(relation, by, now),
      source: idOf(relation.from),
      type: relation.type,
      target: idOf(relation.to),
      properties: JSON.stringify(relation.properties ?? {}),
    }));
    const given = JSON.stringify(made);
    const same = `r.source = g.source AND r.type = g.type AND r.target = g.target AND ${overlap('r', 'g')}`;
    const written = await write([
      stillThere(tables, new Set([...found.values()].map(({ id }) => id))),
      {
        sql: `INSERT INTO graph_relations (${names(RELATION)})
              SELECT ${names(RELATION, 'g')} FROM ${dialect.given(RELATION)} AS g
              WHERE NOT EXISTS (SELECT 1 FROM graph_relations r WHERE ${same}) ORDER BY g.nth
              ON CONFLICT (source, type, target, valid_to) DO NOTHING`,
        values: [given],
      },
    ]);
    if (!written) return undefined;
    const there = await rows<{ id: number; key: string }>(
      `SELECT DISTINCT r.id, r.key FROM ${dialect.given(RELATION)} AS g JOIN graph_relations r ON ${same}`,
      given,
    );
    const keys = new Set(made.map(({ key }) => key));
    const known = await relationsById(
      tables,
      there.map(({ id }) => id),
    );
    const [created, existing] = [true, false].map((ours) => known.filter(({ key }) => keys.has(key) === ours));
    return { created: (created ?? []).map(relationOf), existing: (existing ?? []).map(relationOf) };
  });
}

export async function update(tables: GraphTables, name: string, change: EntityChange): Promise<Entity> {
  const id = await again(async () => {
    const found = (await findAll(tables, [name])).get(name) as Found;
    const [row] = await tables.rows<EntityRow>('SELECT * FROM graph_entities WHERE id = ?', found.id);
    if (!row) return undefined;
    const to = change.name ?? row.name;
    if (to !== row.name && (await find(tables, [to])).get(to)?.name === to) throw nameTaken(to);
    const written = await tables.write([changed(row, to, change)]);
    return written && found.id;
  });
  const [entity] = await entitiesById(tables, [id], ANSWER);
  return entity ?? update(tables, name, change);
}

function changed(row: EntityRow, name: string, change: EntityChange): Statement {
  const type = change.type ?? row.type;
  const properties = mergedProperties(JSON.parse(row.properties) as Properties, change.properties ?? {});
  return {
    sql: `UPDATE graph_entities SET name = ?, folded = ?, type = ?, properties = ?, valid_from = ?, valid_to = ?,
            name_words = ?, about_words = ?, version = version + 1
          WHERE id = ? AND version = ? AND NOT EXISTS (SELECT 1 FROM graph_entities o WHERE o.name = ? AND o.id <> ?)`,
    values: [
      name,
      foldedName(name),
      type,
      JSON.stringify(properties),
      change.validFrom === undefined ? row.valid_from : (change.validFrom ?? OPEN_START),
      change.validTo === undefined ? row.valid_to : (change.validTo ?? OPEN_END),
      wordsOf(name),
      aboutWords(type, properties),
      row.id,
      row.version,
      name,
      row.id,
    ],
    expect: 1,
  };
}

function mergedProperties(old: Properties, change: Properties): Properties {
  const merged = new Map(Object.entries(old));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}
