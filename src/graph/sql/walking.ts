import type { AsOf, Head, Near, Neighbourhood, Path, Walk } from '../engine.ts';
import { at, type Dialect, valid } from './dialect.ts';
import { RELATIONS, relationsById } from './reading.ts';
import { relationOf, type RelationRow } from './rows.ts';
import { findAll, type Found, type GraphTables } from './tables.ts';

/**
 * Walks the graph one step at a time, with one query for each: a recursive query cannot remember what it has seen, and
 * goes round in circles or through a hub as often as there are ways to it.
 */
const MOST_PER_STEP = 20_000;
/** A path that needs more is not looked for further. */
const MOST_VISITED = 200_000;
const RELATIONS_PER_ENTITY = 5;

type Way = Pick<Walk, 'direction' | 'types' | 'asOf'>;

interface Step {
  readonly id: number;
  /** The relation that leads there. */
  readonly via: number;
}

/** What is one relation away from these entities, in the order of the relations. */
async function step({ rows, dialect }: GraphTables, from: Iterable<number>, way: Way, most: number): Promise<Step[]> {
  const ids = JSON.stringify([...from]);
  const towards = (near: string, far: string) =>
    rows<Step>(
      `SELECT r.${far} AS id, min(r.id) AS via FROM graph_relations r JOIN graph_entities e ON e.id = r.${far}
       WHERE r.${near} ${dialect.isId} AND ${valid('r')} AND ${valid('e')} AND ${ofTypes(dialect)}
       GROUP BY r.${far} ORDER BY via LIMIT ?`,
      ids,
      ...at(way.asOf),
      ...at(way.asOf),
      ...typesAsked(way),
      most,
    );
  const both = await Promise.all([
    way.direction === 'in' ? [] : towards('source', 'target'),
    way.direction === 'out' ? [] : towards('target', 'source'),
  ]);
  return both.flat().sort((a, b) => a.via - b.via);
}

const ofTypes = ({ isText }: Dialect) => `(CAST(? AS text) IS NULL OR r.type ${isText})`;
const typesAsked = ({ types }: Pick<Walk, 'types'>) =>
  types ? [JSON.stringify(types), JSON.stringify(types)] : [null, '[]'];

async function walk(tables: GraphTables, starts: readonly number[], { depth, limit, ...way }: Walk) {
  const distances = new Map(starts.map((id) => [id, 0]));
  let edge: number[] = [...starts];
  let truncated = false;
  const most = limit + starts.length;
  for (let distance = 1; distance <= depth && edge.length > 0; distance++) {
    const reached = await step(tables, edge, way, MOST_PER_STEP);
    if (reached.length >= MOST_PER_STEP) truncated = true;
    edge = [];
    for (const { id } of reached) {
      if (distances.has(id)) continue;
      if (distances.size >= most) {
        truncated = true;
        break;
      }
      distances.set(id, distance);
      edge.push(id);
    }
    if (truncated) break;
  }
  return { distances, truncated };
}

/** Relations between entities, those at `inner` ones only, oldest first. */
async function between(
  { rows, dialect }: GraphTables,
  among: Iterable<number>,
  inner: Iterable<number>,
  { direction, asOf, types }: Way,
  most: number,
): Promise<RelationRow[]> {
  const [all, near] = [JSON.stringify([...among]), JSON.stringify([...inner])];
  const ends = (inside: string, other: string) =>
    rows<RelationRow>(
      `SELECT r.*, f.name AS from_name, t.name AS to_name FROM ${RELATIONS}
       WHERE r.${inside} ${dialect.isId} AND r.${other} ${dialect.isId} AND ${valid('r')}
         AND ${ofTypes(dialect)} ORDER BY r.id LIMIT ?`,
      near,
      all,
      ...at(asOf),
      ...typesAsked({ ...(types && { types }) }),
      most,
    );
  const both = await Promise.all([
    direction === 'in' ? [] : ends('source', 'target'),
    direction === 'out' ? [] : ends('target', 'source'),
  ]);
  return [...new Map(both.flat().map((row) => [row.id, row])).values()].sort((a, b) => a.id - b.id).slice(0, most);
}

async function nearOf({ rows, dialect }: GraphTables, distances: ReadonlyMap<number, number>): Promise<Near[]> {
  const heads = await rows<Head & { id: number }>(
    `SELECT id, name, type FROM graph_entities WHERE id ${dialect.isId}`,
    JSON.stringify([...distances.keys()]),
  );
  const byId = new Map(heads.map((head) => [head.id, head]));
  // A map keeps the order in which they were reached.
  return [...distances].flatMap(([id, distance]) => {
    const head = byId.get(id);
    return head ? [{ name: head.name, type: head.type, distance }] : [];
  });
}

export async function neighbours(tables: GraphTables, name: string, asked: Walk): Promise<Neighbourhood> {
  const [start] = await validOnes(tables, [name], asked.asOf);
  if (start === undefined) return { entities: [], relations: [], truncated: false };
  const { distances, truncated } = await walk(tables, [start], asked);
  const inner = [...distances].flatMap(([id, distance]) => (distance < asked.depth ? [id] : []));
  const most = RELATIONS_PER_ENTITY * distances.size + asked.limit;
  const relations = await between(tables, distances.keys(), inner, asked, most + 1);
  distances.delete(start);
  return {
    entities: await nearOf(tables, distances),
    relations: relations.slice(0, most).map(relationOf),
    truncated: truncated || relations.length > most,
  };
}

export async function subgraph(
  tables: GraphTables,
  names: readonly string[],
  asked: Omit<Walk, 'direction'>,
): Promise<Neighbourhood> {
  const starts = await validOnes(tables, names, asked.asOf);
  const both = { ...asked, direction: 'both' } as const;
  const { distances, truncated } = await walk(tables, starts, both);
  const most = RELATIONS_PER_ENTITY * distances.size + asked.limit;
  const relations = await between(tables, distances.keys(), distances.keys(), { ...both, direction: 'out' }, most + 1);
  return {
    entities: await nearOf(tables, distances),
    relations: relations.slice(0, most).map(relationOf),
    truncated: truncated || relations.length > most,
  };
}

/** The ids of entities that exist, without those that are not valid. */
async function validOnes(tables: GraphTables, names: readonly string[], asOf: AsOf): Promise<number[]> {
  const found = await findAll(tables, names);
  const ids = [...new Set(names.map((name) => (found.get(name) as Found).id))];
  const rows = await tables.rows<{ id: number }>(
    `SELECT e.id FROM graph_entities e WHERE e.id ${tables.dialect.isId} AND ${valid('e')}`,
    JSON.stringify(ids),
    ...at(asOf),
  );
  const there = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => there.has(id));
}

/** Walks from both ends, always from the one with fewer entities at its edge, until they meet. */
export async function path(
  tables: GraphTables,
  from: string,
  to: string,
  asked: Omit<Walk, 'limit'>,
): Promise<Path | undefined> {
  const found = await findAll(tables, [from, to]);
  const there = new Set(await validOnes(tables, [from, to], asked.asOf));
  const ids = [from, to].map((name) => (found.get(name) as Found).id);
  if (!ids.every((id) => there.has(id))) return undefined;
  const [start, goal] = ids as [number, number];
  const back = { out: 'in', in: 'out', both: 'both' } as const;
  const ahead = side(start, asked);
  const behind = side(goal, { ...asked, direction: back[asked.direction] });
  let met: number | undefined = start === goal ? start : undefined;
  for (let taken = 0; met === undefined && taken < asked.depth; taken++) {
    const [one, other] = ahead.edge.length <= behind.edge.length ? [ahead, behind] : [behind, ahead];
    const reached = await step(tables, one.edge, one.way, MOST_VISITED);
    one.edge = [];
    for (const { id, via } of reached) {
      if (one.seen.has(id)) continue;
      one.seen.set(id, via);
      one.edge.push(id);
      if (other.seen.has(id)) met ??= id;
    }
    if (one.edge.length === 0 || one.seen.size > MOST_VISITED) break;
  }
  if (met === undefined) return undefined;
  const [before, after] = await Promise.all([trail(tables, ahead.seen, met), trail(tables, behind.seen, met)]);
  const all = [...before.toReversed(), { id: met }, ...after];
  return {
    entities: (await nearOf(tables, new Map(all.map(({ id }) => [id, 0])))).map(({ name, type }) => ({ name, type })),
    relations: [...before.toReversed(), ...after].map(({ row }) => relationOf(row)),
  };
}

interface Side {
  /** By entity, the relation by which it was reached. */
  readonly seen: Map<number, number | undefined>;
  edge: number[];
  readonly way: Way;
}

const side = (start: number, way: Way): Side => ({ seen: new Map([[start, undefined]]), edge: [start], way });

type Trail = { id: number; row: RelationRow }[];

/** The entities from a meeting point back to where a side started, each with the relation that leads to it. */
async function trail(tables: GraphTables, seen: ReadonlyMap<number, number | undefined>, from: number): Promise<Trail> {
  const steps: Trail = [];
  for (let id = from, via = seen.get(id); via !== undefined; via = seen.get(id)) {
    const [row] = await relationsById(tables, [via]);
    // Deleted since: the path is gone with it.
    if (!row) return steps;
    id = row.source === id ? row.target : row.source;
    steps.push({ id, row });
  }
  return steps;
}
