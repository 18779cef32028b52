import type {
  Author,
  Created,
  Entity,
  EntityChange,
  NewEntity,
  NewObservations,
  NewRelation,
  Observation,
  Observed,
  Properties,
  Relation,
} from '../engine.ts';
import { nameTaken } from '../names.ts';
import type { Run } from './connection.ts';
import { cypherName } from './cypher-name.ts';
import {
  entityOf,
  headFields,
  nodeFields,
  RELATION_ROW,
  relationFields,
  relationKey,
  relationOf,
  type RelationRow,
  type Whole,
} from './entity.ts';
import { Overtaken } from './failures.ts';
import { lock, lockAll } from './finding.ts';
import { newOnes, observationFields } from './observations.ts';
import { propertyChanges } from './properties.ts';
import { relationCounts } from './reading.ts';
import { nextSequence } from './sequence.ts';
import { overlap, periodOf } from './validity.ts';

export const EVERYTHING = { asOf: 'any', observations: Number.MAX_SAFE_INTEGER } as const;

export async function create(run: Run, entities: readonly NewEntity[], by: Author): Promise<Created> {
  const now = new Date().toISOString();
  const known = await lock(
    run,
    entities.map(({ name }) => name),
  );
  const made = entities
    .filter(({ name }) => !known.has(name))
    .map(({ name, type, properties = {}, observations = [], ...given }): Whole => {
      const about = {
        recordedAt: given.recordedAt ?? now,
        ...periodOf(given.validFrom, given.validTo),
        by: given.by ?? by,
      };
      return {
        name,
        type,
        properties,
        ...about,
        observations: newOnes([], observations, by, now),
        sequence: nextSequence(),
      };
    });
  for (const [type, ofType] of Map.groupBy(made, (entity) => entity.type)) {
    const { rows } = await run<{ isOurs: boolean }>(
      `UNWIND $rows AS row MERGE (n:Entity {name: row.name})
       ON CREATE SET n:${cypherName(type)}, n += row
       RETURN n.sequence = row.sequence AS isOurs`,
      { rows: ofType.map(nodeFields) },
    );
    if (!rows.every(({ isOurs }) => isOurs)) throw new Overtaken('Somebody else created one of the entities.');
  }
  const additions = entities
    .filter(({ name }) => known.has(name))
    .map(({ name, observations = [] }) => ({ entity: name, observations }));
  return {
    created: made.map((entity) => entityOf(entity, 0, EVERYTHING)),
    existing: await addTo(run, (name) => known.get(name) as Whole, additions, by),
  };
}

export async function observe(run: Run, additions: readonly NewObservations[], by: Author): Promise<Observed[]> {
  const { of } = await lockAll(
    run,
    additions.map(({ entity }) => entity),
  );
  return await addTo(run, of, additions, by);
}

async function addTo(
  run: Run,
  of: (name: string) => Whole,
  additions: readonly NewObservations[],
  by: Author,
): Promise<Observed[]> {
  const now = new Date().toISOString();
  const changed = new Map<string, Whole>();
  const observed = additions.map(({ entity: asked, observations: given }): Observed => {
    const entity = changed.get(of(asked).name) ?? of(asked);
    const added = newOnes(entity.observations, given, by, now);
    if (added.length > 0) changed.set(entity.name, { ...entity, observations: [...entity.observations, ...added] });
    const written = new Set(added.map(({ text }) => text));
    return {
      entity: entity.name,
      added,
      existing: given.map(({ text }) => text).filter((text) => !written.has(text)),
    };
  });
  await writeObservations(run, changed.values());
  return observed;
}

/** Writes the observations that entities have now. */
export async function writeObservations(run: Run, entities: Iterable<Whole>): Promise<void> {
  const rows = [...entities].map((entity) => ({
    name: entity.name,
    fields: {
      ...observationFields(entity.observations),
      ...headFields(entity, entity.properties, entity.observations),
    },
  }));
  if (rows.length > 0) await run('UNWIND $rows AS row MATCH (n:Entity {name: row.name}) SET n += row.fields', { rows });
}

export async function relate(
  run: Run,
  relations: readonly NewRelation[],
  by: Author,
): Promise<{ created: Relation[]; existing: Relation[] }> {
  const now = new Date().toISOString();
  const { of } = await lockAll(run, [...new Set(relations.flatMap(({ from, to }) => [from, to]))]);
  const given = relations.map(
    ({ from, type, to, properties = {}, recordedAt = now, validFrom, validTo, by: author = by }): Relation => ({
      from: of(from).name,
      type,
      to: of(to).name,
      properties,
      recordedAt,
      ...periodOf(validFrom, validTo),
      by: author,
    }),
  );
  const { rows } = await run<RelationRow>(
    `UNWIND $pairs AS pair MATCH (f:Entity {name: pair.from})-[r]->(t:Entity {name: pair.to})
     RETURN DISTINCT ${RELATION_ROW}`,
    { pairs: [...new Map(given.map(({ from, to }) => [JSON.stringify([from, to]), { from, to }])).values()] },
  );
  const known = Map.groupBy(rows.map(relationOf), relationKey);
  const [created, existing]: [Relation[], Set<Relation>] = [[], new Set()];
  for (const relation of given) {
    const key = relationKey(relation);
    const same = (known.get(key) ?? []).filter((other) => overlap(other, relation));
    for (const other of same) if (!created.includes(other)) existing.add(other);
    if (same.length > 0) continue;
    created.push(relation);
    known.set(key, [...(known.get(key) ?? []), relation]);
  }
  await writeRelations(run, created);
  return { created, existing: [...existing] };
}

/** `sequence` is the place of one that moves; new ones come last. */
export async function writeRelations(
  run: Run,
  relations: readonly (Relation & { sequence?: string })[],
): Promise<void> {
  const rows = relations.map(({ sequence = nextSequence(), ...relation }) => ({
    ...relation,
    fields: relationFields(relation, sequence),
  }));
  for (const [type, ofType] of Map.groupBy(rows, (row) => row.type))
    await run(
      `UNWIND $rows AS row MATCH (f:Entity {name: row.from}), (t:Entity {name: row.to})
       CREATE (f)-[r:${cypherName(type)}]->(t) SET r = row.fields`,
      { rows: ofType.map(({ from, to, fields }) => ({ from, to, fields })) },
    );
}

export async function update(run: Run, asked: string, change: EntityChange): Promise<Entity> {
  const before = (await lockAll(run, [asked])).of(asked);
  const name = change.name ?? before.name;
  if (name !== before.name) {
    const { rows } = await run('MATCH (n:Entity {name: $name}) RETURN n.name', { name });
    if (rows.length > 0) throw nameTaken(name);
  }
  const { validFrom, validTo, ...rest } = before;
  const after: Whole = {
    ...rest,
    name,
    type: change.type ?? before.type,
    properties: merged(before.properties, change.properties ?? {}),
    ...periodOf(
      change.validFrom === undefined ? validFrom : change.validFrom,
      change.validTo === undefined ? validTo : change.validTo,
    ),
  };
  await writeEntity(run, before, after);
  const counts = await relationCounts(run, [name], 'any');
  return entityOf(after, counts.get(name) ?? 0, EVERYTHING);
}

/** Writes what differs, besides the observations. */
export async function writeEntity(run: Run, before: Whole, after: Whole): Promise<void> {
  const fields = {
    ...propertyChanges(before.properties, after.properties),
    ...headFields(after, after.properties, after.observations),
    valid_from: after.validFrom ?? null,
    valid_to: after.validTo ?? null,
  };
  const labels = before.type === after.type ? '' : relabelled(before.type, after.type);
  await run(`MATCH (n:Entity {name: $name}) SET n += $fields ${labels}`, { name: before.name, fields });
}

/** Every entity keeps the label `Entity`, even if that was its type. */
const relabelled = (before: string, after: string): string =>
  `${before === 'Entity' ? '' : `REMOVE n:${cypherName(before)} `}SET n:${cypherName(after)}`;

function merged(old: Properties, change: Properties): Properties {
  const all = new Map(Object.entries(old));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) all.delete(key);
    else all.set(key, value);
  }
  return Object.fromEntries(all);
}

/** The observations of an entity without some. */
export const without = (entity: Whole, gone: ReadonlySet<Observation>): Whole => ({
  ...entity,
  observations: entity.observations.filter((one) => !gone.has(one)),
});
