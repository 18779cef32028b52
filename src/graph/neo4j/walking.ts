import type { AsOf, Head, Near, Neighbourhood, Path, Walk } from '../engine.ts';
import type { Run } from './connection.ts';
import { RELATION_ORDER, RELATION_ROW, relationOf, type RelationRow, typeIn } from './entity.ts';
import { findAll } from './finding.ts';
import { relationValid } from './reading.ts';
import { validAt } from './validity.ts';

/*
 * Walks the graph one step at a time, with one statement for each: a path of variable length in Cypher goes through a
 * hub as often as there are ways to it.
 */
const MOST_PER_STEP = 20_000;
/** A path that needs more is not looked for further. */
const MOST_VISITED = 200_000;
const RELATIONS_PER_ENTITY = 5;

type Way = Pick<Walk, 'direction' | 'types' | 'asOf'>;

interface Step extends RelationRow {
  readonly near: string;
  readonly far: string;
  readonly place: string;
}

const ofTypes = ({ types }: Pick<Walk, 'types'>): string => (types ? 'AND type(r) IN $types' : '');

/** What is one relation away from these entities, in the order of the relations. */
async function step(run: Run, names: readonly string[], way: Way, most: number): Promise<Step[]> {
  const { asOf, types = [] } = way;
  const towards = async (near: 'f' | 't', far: 'f' | 't') => {
    const { rows } = await run<Step>(
      `MATCH (f:Entity)-[r]->(t:Entity) WHERE ${near}.name IN $names AND ${relationValid(asOf)} ${ofTypes(way)}
       RETURN ${RELATION_ROW}, ${near}.name AS near, ${far}.name AS far, coalesce(r.sequence, '') AS place
       ORDER BY ${RELATION_ORDER} LIMIT $most`,
      { names, asOf, types, most },
    );
    return rows;
  };
  const outwards = way.direction === 'in' ? [] : await towards('f', 't');
  const inwards = way.direction === 'out' ? [] : await towards('t', 'f');
  return [...outwards, ...inwards].sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0));
}

async function walk(run: Run, starts: readonly string[], { depth, limit, ...way }: Walk) {
  const distances = new Map(starts.map((name) => [name, 0]));
  let edge: string[] = [...starts];
  let truncated = false;
  const most = limit + starts.length;
  for (let distance = 1; distance <= depth && edge.length > 0 && !truncated; distance++) {
    const reached = await step(run, edge, way, MOST_PER_STEP);
    truncated = reached.length >= MOST_PER_STEP;
    edge = [];
    for (const { far } of reached) {
      if (distances.has(far)) continue;
      if (distances.size >= most) {
        truncated = true;
        break;
      }
      distances.set(far, distance);
      edge.push(far);
    }
  }
  return { distances, truncated };
}

/** Relations between entities, those at `inner` ones only, oldest first. */
async function between(
  run: Run,
  all: readonly string[],
  inner: readonly string[],
  way: Way,
  most: number,
): Promise<RelationRow[]> {
  const { direction, asOf, types = [] } = way;
  const ends = { out: 'f.name IN $inner', in: 't.name IN $inner', both: '(f.name IN $inner OR t.name IN $inner)' };
  const { rows } = await run<RelationRow>(
    `MATCH (f:Entity)-[r]->(t:Entity)
     WHERE f.name IN $among AND t.name IN $among AND ${ends[direction]} AND ${relationValid(asOf)} ${ofTypes(way)}
     RETURN ${RELATION_ROW} ORDER BY ${RELATION_ORDER} LIMIT $most`,
    { among: all, inner, asOf, types, most },
  );
  return rows;
}

async function headsOf(run: Run, names: Iterable<string>): Promise<Map<string, Head>> {
  const { rows } = await run<Head>(
    `MATCH (n:Entity) WHERE n.name IN $names RETURN n.name AS name, ${typeIn('n')} AS type`,
    { names: [...names] },
  );
  return new Map(rows.map(({ name, type }) => [name, { name, type }]));
}

/** In the order in which they were reached. */
async function nearOf(run: Run, distances: ReadonlyMap<string, number>): Promise<Near[]> {
  const heads = await headsOf(run, distances.keys());
  return [...distances].flatMap(([name, distance]) => {
    const head = heads.get(name);
    return head ? [{ ...head, distance }] : [];
  });
}

export async function neighbours(run: Run, name: string, asked: Walk): Promise<Neighbourhood> {
  const [start] = await validOnes(run, [name], asked.asOf);
  if (start === undefined) return { entities: [], relations: [], truncated: false };
  const { distances, truncated } = await walk(run, [start], asked);
  const inner = [...distances].flatMap(([one, distance]) => (distance < asked.depth ? [one] : []));
  const most = RELATIONS_PER_ENTITY * distances.size + asked.limit;
  const relations = await between(run, [...distances.keys()], inner, asked, most + 1);
  distances.delete(start);
  return {
    entities: await nearOf(run, distances),
    relations: relations.slice(0, most).map(relationOf),
    truncated: truncated || relations.length > most,
  };
}

export async function subgraph(
  run: Run,
  names: readonly string[],
  asked: Omit<Walk, 'direction'>,
): Promise<Neighbourhood> {
  const starts = await validOnes(run, names, asked.asOf);
  const both = { ...asked, direction: 'both' } as const;
  const { distances, truncated } = await walk(run, starts, both);
  const most = RELATIONS_PER_ENTITY * distances.size + asked.limit;
  const all = [...distances.keys()];
  const relations = await between(run, all, all, both, most + 1);
  return {
    entities: await nearOf(run, distances),
    relations: relations.slice(0, most).map(relationOf),
    truncated: truncated || relations.length > most,
  };
}

/** The names of entities that exist, without those that are not valid. */
async function validOnes(run: Run, asked: readonly string[], asOf: AsOf): Promise<string[]> {
  const found = await findAll(run, asked);
  const names = [...new Set(asked.map((name) => found.get(name) as string))];
  const { rows } = await run<{ name: string }>(
    `MATCH (n:Entity) WHERE n.name IN $names AND ${validAt('n', asOf)} RETURN n.name AS name`,
    { names, asOf },
  );
  const there = new Set(rows.map(({ name }) => name));
  return names.filter((name) => there.has(name));
}

interface Side {
  /** The step that leads to each entity. */
  readonly seen: Map<string, Step | undefined>;
  readonly edge: string[];
  readonly way: Way;
}

/** Walks from both ends, always from the one with fewer entities at its edge, until they meet. */
export async function path(run: Run, from: string, to: string, asked: Omit<Walk, 'limit'>): Promise<Path | undefined> {
  const found = await findAll(run, [from, to]);
  const [start, goal] = [found.get(from) as string, found.get(to) as string];
  const there = new Set(await validOnes(run, [start, goal], asked.asOf));
  if (!there.has(start) || !there.has(goal)) return undefined;
  const back = { out: 'in', in: 'out', both: 'both' } as const;
  const sides: readonly [Side, Side] = [
    { seen: new Map([[start, undefined]]), edge: [start], way: asked },
    { seen: new Map([[goal, undefined]]), edge: [goal], way: { ...asked, direction: back[asked.direction] } },
  ];
  let met: string | undefined = start === goal ? start : undefined;
  for (let taken = 0; met === undefined && taken < asked.depth; taken++) {
    const [one, other] = sides[0].edge.length <= sides[1].edge.length ? sides : [sides[1], sides[0]];
    const reached = await step(run, one.edge.splice(0), one.way, MOST_VISITED);
    for (const via of reached) {
      if (one.seen.has(via.far)) continue;
      one.seen.set(via.far, via);
      one.edge.push(via.far);
      if (other.seen.has(via.far)) met ??= via.far;
    }
    if (one.edge.length === 0 || one.seen.size > MOST_VISITED) break;
  }
  if (met === undefined) return undefined;
  const [before, after] = sides.map(({ seen }) => trail(seen, met)) as [Step[], Step[]];
  const names = [...before.map(({ near }) => near).toReversed(), met, ...after.map(({ near }) => near)];
  const heads = await headsOf(run, names);
  return {
    entities: names.flatMap((name) => heads.get(name) ?? []),
    relations: [...before.toReversed(), ...after].map(relationOf),
  };
}

/** The steps from where two sides met back to where this one started. */
function trail(seen: ReadonlyMap<string, Step | undefined>, from: string): Step[] {
  const steps: Step[] = [];
  for (let via = seen.get(from); via !== undefined; via = seen.get(via.near)) steps.push(via);
  return steps;
}
