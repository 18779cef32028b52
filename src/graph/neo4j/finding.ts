import type { Node } from 'neo4j-driver';
import { foldedName, meantName, noSuchEntity } from '../names.ts';
import type { Run } from './connection.ts';
import { type Whole, wholeOf } from './entity.ts';

/** The entities that names mean, by the name that was asked for. */
export async function find(run: Run, names: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await run<{ name: string }>(
    'MATCH (n:Entity) WHERE n.name IN $names OR n.folded_name IN $folded RETURN n.name AS name',
    { names, folded: names.map(foldedName) },
  );
  const known = rows.map(({ name }) => name);
  const exact = new Set(known);
  const alike = Map.groupBy(known, foldedName);
  return new Map(
    names.flatMap((name) => {
      const meant = exact.has(name) ? name : meantName(name, alike.get(foldedName(name)) ?? []);
      return meant === undefined ? [] : [[name, meant] as const];
    }),
  );
}

export async function findAll(run: Run, names: readonly string[]): Promise<Map<string, string>> {
  const found = await find(run, names);
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) throw noSuchEntity([...new Set(missing)]);
  return found;
}

/**
 * Entities by their exact names. Nobody else changes them until the transaction ends: writing a property locks a node
 * (https://neo4j.com/docs/operations-manual/current/database-internals/locks-deadlocks/).
 */
export async function lock(run: Run, names: Iterable<string>): Promise<Map<string, Whole>> {
  // In one order, so that two transactions do not wait for each other.
  const { rows } = await run<{ n: Node }>(
    `UNWIND $names AS name MATCH (n:Entity {name: name}) SET n._LOCK_ = true WITH n REMOVE n._LOCK_ RETURN n`,
    { names: [...new Set(names)].sort() },
  );
  return new Map(rows.map(({ n }) => wholeOf(n)).map((entity) => [entity.name, entity]));
}

export interface Locked {
  /** By the name that was asked for. */
  of(asked: string): Whole;
}

/** Finds entities and locks them. Throws `noSuchEntity`. */
export async function lockAll(run: Run, names: readonly string[]): Promise<Locked> {
  const found = await findAll(run, names);
  const locked = await lock(run, found.values());
  const gone = names.filter((name) => !locked.has(found.get(name) as string));
  if (gone.length > 0) throw noSuchEntity(gone);
  return { of: (asked) => locked.get(found.get(asked) as string) as Whole };
}
