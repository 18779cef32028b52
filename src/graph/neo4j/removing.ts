import type { Endings, Observation, ObservationNames, RelationName } from '../engine.ts';
import { nothingToEnd } from '../names.ts';
import type { Run } from './connection.ts';
import { cypherName } from './cypher-name.ts';
import { relationKey, type Whole } from './entity.ts';
import { find, lock, lockAll } from './finding.ts';
import { isValid, validAt } from './validity.ts';
import { writeObservations, without } from './writing.ts';

const namesIn = ({ entities = [], observations = [], relations = [] }: Partial<Endings>): string[] => [
  ...new Set([
    ...entities,
    ...observations.map(({ entity }) => entity),
    ...relations.flatMap(({ from, to }) => [from, to]),
  ]),
];

/** The observations of an entity that a text or id means. */
const named = (entity: Whole, name: string): Observation[] =>
  entity.observations.filter(({ id, text }) => text === name || id === name);

export async function end(run: Run, what: Endings, at: string): Promise<void> {
  const { of } = await lockAll(run, namesIn(what));
  const ended = what.entities.map(of).filter((entity) => !isValid(entity, at));
  if (ended.length > 0) throw nothingToEnd({ entities: ended.map(({ name }) => name) });
  const entities = [...new Set(what.entities.map((name) => of(name).name))];
  await run('MATCH (n:Entity) WHERE n.name IN $entities SET n.valid_to = $at', { entities, at });
  await endObservations(run, what.observations, of, at);
  await endRelations(run, what.relations, of, at);
}

async function endObservations(
  run: Run,
  asked: readonly ObservationNames[],
  of: (name: string) => Whole,
  at: string,
): Promise<void> {
  const isThere = (entity: string, name: string) => named(of(entity), name).some((one) => isValid(one, at));
  const missing = leftOut(asked, isThere);
  if (missing.length > 0) throw nothingToEnd({ observations: missing });
  const changed = new Map<string, Whole>();
  for (const { entity: name, observations } of asked) {
    const entity = changed.get(of(name).name) ?? of(name);
    const ending = new Set(observations.flatMap((one) => named(entity, one)).filter((one) => isValid(one, at)));
    changed.set(entity.name, {
      ...entity,
      observations: entity.observations.map((one) => (ending.has(one) ? { ...one, validTo: at } : one)),
    });
  }
  await writeObservations(run, changed.values());
}

async function endRelations(
  run: Run,
  asked: readonly RelationName[],
  of: (name: string) => Whole,
  at: string,
): Promise<void> {
  const changed = await changeRelations(run, asked, of, `WHERE ${validAt('r', at)} SET r.valid_to = $asOf`, at);
  const missing = asked.filter(
    ({ from, type, to }) => !changed.has(relationKey({ from: of(from).name, type, to: of(to).name })),
  );
  if (missing.length > 0) throw nothingToEnd({ relations: missing });
}

/** Does something to relations `r`. How many there were, by their keys. */
async function changeRelations(
  run: Run,
  asked: readonly RelationName[],
  of: (name: string) => Pick<Whole, 'name'> | undefined,
  change: string,
  asOf: string | null = null,
): Promise<Map<string, number>> {
  const known = asked.flatMap(({ from, type, to }) => {
    const [source, target] = [of(from)?.name, of(to)?.name];
    return source === undefined || target === undefined ? [] : [{ from: source, type, to: target }];
  });
  const distinct = [...new Map(known.map((relation) => [relationKey(relation), relation])).values()];
  const counts = new Map<string, number>();
  for (const [type, ofType] of Map.groupBy(distinct, (relation) => relation.type)) {
    const { rows } = await run<{ from: string; to: string; count: bigint }>(
      `UNWIND $rows AS row MATCH (f:Entity {name: row.from})-[r:${cypherName(type)}]->(t:Entity {name: row.to})
       ${change} RETURN row.from AS from, row.to AS to, count(*) AS count`,
      { rows: ofType.map(({ from, to }) => ({ from, to })), asOf },
    );
    for (const { from, to, count } of rows) counts.set(relationKey({ from, type, to }), Number(count));
  }
  return counts;
}

const leftOut = (asked: readonly ObservationNames[], isThere: (entity: string, name: string) => boolean) =>
  asked.flatMap(({ entity, observations }): ObservationNames[] => {
    const missing = observations.filter((name) => !isThere(entity, name));
    return missing.length > 0 ? [{ entity, observations: missing }] : [];
  });

export async function deleteEntities(
  run: Run,
  names: readonly string[],
): Promise<{ deleted: string[]; missing: string[] }> {
  const found = await find(run, names);
  const deleted = [...new Set(found.values())];
  await run('MATCH (n:Entity) WHERE n.name IN $deleted DETACH DELETE n', { deleted });
  return { deleted, missing: names.filter((name) => !found.has(name)) };
}

export async function deleteObservations(
  run: Run,
  deletions: readonly ObservationNames[],
): Promise<{ deleted: number; missing: ObservationNames[] }> {
  const found = await find(run, namesIn({ observations: deletions }));
  const known = await lock(run, found.values());
  const of = (asked: string) => known.get(found.get(asked) ?? '');
  const missing = leftOut(deletions, (asked, name) => {
    const entity = of(asked);
    return entity !== undefined && named(entity, name).length > 0;
  });
  const gone = new Set(
    deletions.flatMap(({ entity: asked, observations }) => {
      const entity = of(asked);
      return entity ? observations.flatMap((name) => named(entity, name)) : [];
    }),
  );
  const changed = [...known.values()].filter((entity) => entity.observations.some((one) => gone.has(one)));
  await writeObservations(
    run,
    changed.map((entity) => without(entity, gone)),
  );
  return { deleted: gone.size, missing };
}

export async function deleteRelations(
  run: Run,
  asked: readonly RelationName[],
): Promise<{ deleted: number; missing: RelationName[] }> {
  const found = await find(run, namesIn({ relations: asked }));
  const of = (name: string) => {
    const meant = found.get(name);
    return meant === undefined ? undefined : { name: meant };
  };
  const counts = await changeRelations(run, asked, of, 'DELETE r');
  const missing = asked.filter(({ from, type, to }) => {
    const [source, target] = [found.get(from), found.get(to)];
    return source === undefined || target === undefined || !counts.has(relationKey({ from: source, type, to: target }));
  });
  return { deleted: [...counts.values()].reduce((all, count) => all + count, 0), missing };
}
