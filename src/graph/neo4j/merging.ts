import type { Merged, Observation, Properties, Relation, Validity } from '../engine.ts';
import type { Run } from './connection.ts';
import { cypherName } from './cypher-name.ts';
import {
  entityOf,
  RELATION_ORDER,
  RELATION_ROW,
  RELATIONS_AT,
  relationKey,
  relationOf,
  type RelationRow,
  type Whole,
} from './entity.ts';
import { lockAll } from './finding.ts';
import { relationCounts } from './reading.ts';
import { OPEN_END, OPEN_START, periodOf } from './validity.ts';
import { EVERYTHING, writeEntity, writeObservations, writeRelations } from './writing.ts';

export async function merge(run: Run, names: readonly string[], into: string): Promise<Merged> {
  const { of } = await lockAll(run, [into, ...names]);
  const stays = of(into);
  const gone = [...new Map(names.map((name) => [of(name).name, of(name)])).values()].filter(
    ({ name }) => name !== stays.name,
  );
  const { properties, dropped } = together(stays, gone);
  const all = [stays, ...gone];
  const observations = uncovered(
    all.flatMap((entity) => entity.observations),
    ({ text }) => text,
  );
  const { validFrom: _from, validTo: _to, ...rest } = stays;
  const after: Whole = {
    ...rest,
    properties,
    observations,
    ...periodOf(
      all.map(({ validFrom = OPEN_START }) => validFrom).reduce((a, b) => (a < b ? a : b)),
      all.map(({ validTo = OPEN_END }) => validTo).reduce((a, b) => (a > b ? a : b)),
    ),
  };
  await writeEntity(run, stays, after);
  await writeObservations(run, [after]);
  const relations = await moveRelations(run, stays.name, new Set(gone.map(({ name }) => name)));
  await run('MATCH (n:Entity) WHERE n.name IN $gone DETACH DELETE n', { gone: gone.map(({ name }) => name) });
  const counts = await relationCounts(run, [stays.name], 'any');
  const before = new Set(stays.observations);
  return {
    entity: entityOf(after, counts.get(stays.name) ?? 0, EVERYTHING),
    merged: gone.map(({ name }) => name),
    moved: { observations: observations.filter((one: Observation) => !before.has(one)).length, relations },
    dropped,
  };
}

/** Of two of the same, the one that is valid longer stays; of two that are valid equally long, the first. */
function uncovered<T extends Validity>(all: readonly T[], keyOf: (one: T) => string): T[] {
  const [start, end] = [({ validFrom = OPEN_START }: T) => validFrom, ({ validTo = OPEN_END }: T) => validTo];
  const alike = Map.groupBy([...all.entries()], ([, one]) => keyOf(one));
  return all.filter((one, index) => {
    const others = alike.get(keyOf(one)) ?? [];
    return !others.some(([place, other]) => {
      if (place === index || start(other) > start(one) || end(other) < end(one)) return false;
      return start(other) < start(one) || end(other) > end(one) || place < index;
    });
  });
}

/** Gives the relations of entities to another one. How many. */
async function moveRelations(run: Run, into: string, gone: ReadonlySet<string>): Promise<number> {
  const names = [into, ...gone];
  const { rows } = await run<RelationRow>(`${RELATIONS_AT} RETURN ${RELATION_ROW} ORDER BY ${RELATION_ORDER}`, {
    names,
  });
  const known = rows.map((row) => ({ ...relationOf(row), sequence: sequenceOf(row) }));
  const isAmong = (name: string) => name === into || gone.has(name);
  // Relations between the entities that become one say nothing any more; a relation of one with itself does.
  const kept = known.filter(({ from, to }) => from === to || !(isAmong(from) && isAmong(to)));
  const moved = (name: string) => (gone.has(name) ? into : name);
  const mapped = kept.map(
    (relation): Mapped => ({ ...relation, from: moved(relation.from), to: moved(relation.to), was: relation }),
  );
  const staying = uncovered(mapped, relationKey);
  const isMoved = ({ was }: Mapped) => gone.has(was.from) || gone.has(was.to);
  const covered = new Set(mapped.filter((one) => !isMoved(one) && !staying.includes(one)).map(({ was }) => was));
  const dropped = known.filter(
    (one) => covered.has(one) || (!kept.includes(one) && !gone.has(one.from) && !gone.has(one.to)),
  );
  await deleteExactly(run, dropped);
  const moving = staying.filter(isMoved);
  await writeRelations(
    run,
    moving.map(({ was: _, ...relation }) => relation),
  );
  await moveForeign(run, into, [...gone]);
  return moving.length;
}

const sequenceOf = ({ stored: { sequence } }: RelationRow): string => (typeof sequence === 'string' ? sequence : '');

type Mapped = Relation & { readonly was: Relation; readonly sequence: string };

async function deleteExactly(run: Run, relations: readonly Relation[]): Promise<void> {
  for (const [type, ofType] of Map.groupBy(relations, (relation) => relation.type))
    await run(
      `UNWIND $rows AS row MATCH (f:Entity {name: row.from})-[r:${cypherName(type)}]->(t:Entity {name: row.to})
       WHERE coalesce(r.valid_from, '${OPEN_START}') = row.start AND coalesce(r.valid_to, '${OPEN_END}') = row.end DELETE r`,
      {
        rows: ofType.map(({ from, to, validFrom: start = OPEN_START, validTo: end = OPEN_END }) => ({
          from,
          to,
          start,
          end,
        })),
      },
    );
}

/** Relationships with nodes that are not ours move along. */
async function moveForeign(run: Run, into: string, gone: readonly string[]): Promise<void> {
  const { rows } = await run<{ type: string }>(
    'MATCH (n:Entity)-[r]-(other) WHERE n.name IN $gone AND NOT other:Entity RETURN DISTINCT type(r) AS type',
    { gone },
  );
  for (const { type } of rows)
    for (const [old, made] of [
      [`(n)-[r:${cypherName(type)}]->(other)`, `(into)-[moved:${cypherName(type)}]->(other)`],
      [`(n)<-[r:${cypherName(type)}]-(other)`, `(into)<-[moved:${cypherName(type)}]-(other)`],
    ])
      await run(
        `MATCH (n:Entity) WHERE n.name IN $gone MATCH ${old} WHERE NOT other:Entity
         MATCH (into:Entity {name: $into}) CREATE ${made} SET moved = properties(r)`,
        { gone, into },
      );
}

function together(stays: Whole, gone: readonly Whole[]): { properties: Properties; dropped: Merged['dropped'] } {
  const merged = new Map(Object.entries(stays.properties));
  const dropped: Merged['dropped'][number][] = [];
  for (const entity of gone)
    for (const [property, value] of Object.entries(entity.properties)) {
      if (!merged.has(property)) merged.set(property, value);
      else if (JSON.stringify(merged.get(property)) !== JSON.stringify(value))
        dropped.push({ entity: entity.name, property, value });
    }
  return { properties: Object.fromEntries(merged), dropped };
}
