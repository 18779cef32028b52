import type { Node } from 'neo4j-driver';
import type { AsOf, Entity, Head, Observation, Opened, Page, PageOf, Reading, Relation, Stats } from '../engine.ts';
import type { Run } from './connection.ts';
import {
  entityOf,
  RELATION_ORDER,
  RELATION_ROW,
  RELATIONS_AT,
  relationOf,
  type RelationRow,
  typeIn,
  wholeOf,
} from './entity.ts';
import { find, findAll } from './finding.ts';
import { OPEN_END, OPEN_START, validAt, isValid } from './validity.ts';

/** A relation is valid only while both its entities are. */
export const relationValid = (asOf: AsOf): string => ['r', 'f', 't'].map((name) => validAt(name, asOf)).join(' AND ');

/** Of how many relations entities are an end. */
export async function relationCounts(run: Run, names: readonly string[], asOf: AsOf): Promise<Map<string, number>> {
  const { rows } = await run<{ name: string; count: bigint }>(
    `UNWIND $names AS name MATCH (f:Entity {name: name})-[r]-(t:Entity) WHERE ${relationValid(asOf)}
     RETURN name, count(DISTINCT r) AS count`,
    { names, asOf },
  );
  return new Map(rows.map(({ name, count }) => [name, Number(count)]));
}

async function entitiesFrom(run: Run, nodes: readonly Node[], reading: Reading): Promise<Entity[]> {
  const all = nodes.map(wholeOf);
  const counts = await relationCounts(
    run,
    all.map(({ name }) => name),
    reading.asOf,
  );
  return all.map((entity) => entityOf(entity, counts.get(entity.name) ?? 0, reading));
}

export async function open(
  run: Run,
  asked: readonly string[],
  { relations: most, ...reading }: Reading & { relations: number },
): Promise<Opened> {
  const { asOf } = reading;
  const found = await find(run, asked);
  const { rows } = await run<{ n: Node }>(
    `MATCH (n:Entity) WHERE n.name IN $names AND ${validAt('n', asOf)} RETURN n`,
    { names: [...new Set(found.values())], asOf },
  );
  const byName = new Map(rows.map(({ n }) => [String(n.properties.name), n]));
  const nodes = [...new Set(found.values())].flatMap((name) => byName.get(name) ?? []);
  const relations = await run<RelationRow>(
    `${RELATIONS_AT} WHERE ${relationValid(asOf)}
     RETURN ${RELATION_ROW} ORDER BY ${RELATION_ORDER} LIMIT $most`,
    { names: [...byName.keys()], asOf, most: most + 1 },
  );
  return {
    entities: await entitiesFrom(run, nodes, reading),
    relations: relations.rows.slice(0, most).map(relationOf),
    more: relations.rows.length > most,
    missing: asked.filter((name) => !byName.has(found.get(name) ?? '')),
  };
}

export async function observations(
  run: Run,
  asked: string,
  { asOf, limit, after }: Page,
): Promise<PageOf<Observation>> {
  const name = (await findAll(run, [asked])).get(asked);
  const { rows } = await run<{ n: Node }>('MATCH (n:Entity {name: $name}) RETURN n', { name });
  const all = rows.flatMap(({ n }) => wholeOf(n).observations);
  const start = after === undefined ? 0 : placeAfter(all, after);
  const valid = [...all.entries()].slice(start).filter(([, one]) => isValid(one, asOf));
  const shown = valid.slice(0, limit);
  const [place, last] = shown.at(-1) ?? [];
  return {
    items: shown.map(([, one]) => one),
    ...(valid.length > limit && { next: `${place} ${last?.id}` }),
  };
}

/** Where a page begins: observations before it may have been deleted since. */
function placeAfter(all: readonly Observation[], after: string): number {
  const [place = '', id] = after.split(' ');
  const now = all.findIndex((one) => one.id === id);
  return now === -1 ? Number(place) : now + 1;
}

/** Sorts nodes, oldest first. Nodes of others have no sequence. */
const ORDER = "coalesce(n.sequence, '') AS sequence, n.name AS name";
const AFTER = "(coalesce(n.sequence, '') > $sequence OR coalesce(n.sequence, '') = $sequence AND n.name > $name)";

interface NodeRow {
  readonly n: Node;
  readonly sequence: string;
  readonly name: string;
}

async function nodesOf(run: Run, page: Page): Promise<{ shown: Node[]; next?: string }> {
  const [sequence = '', name = ''] = page.after === undefined ? [] : (JSON.parse(page.after) as string[]);
  const { rows } = await run<NodeRow>(
    `MATCH (n:Entity) WHERE n.name IS NOT NULL AND ${AFTER} AND ${validAt('n', page.asOf)}
     RETURN n, ${ORDER} ORDER BY sequence, name LIMIT $limit`,
    { sequence, name, asOf: page.asOf, limit: page.limit + 1 },
  );
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    shown: shown.map(({ n }) => n),
    ...(rows.length > page.limit && last && { next: JSON.stringify([last.sequence, last.name]) }),
  };
}

export async function entities(run: Run, page: Page & Reading): Promise<PageOf<Entity>> {
  const { shown, ...rest } = await nodesOf(run, page);
  return { items: await entitiesFrom(run, shown, page), ...rest };
}

export async function heads(run: Run, page: Page): Promise<PageOf<Head>> {
  const { shown, ...rest } = await nodesOf(run, page);
  return { items: shown.map(wholeOf).map(({ name, type }) => ({ name, type })), ...rest };
}

const KEY = "[coalesce(r.sequence, ''), f.name, type(r), t.name]";
const RELATION_AFTER = `(
  coalesce(r.sequence, '') > $key[0] OR coalesce(r.sequence, '') = $key[0] AND (
    f.name > $key[1] OR f.name = $key[1] AND (type(r) > $key[2] OR type(r) = $key[2] AND t.name > $key[3])))`;

export async function relations(run: Run, { asOf, limit, after }: Page): Promise<PageOf<Relation>> {
  const { rows } = await run<RelationRow & { key: string[] }>(
    `MATCH (f:Entity)-[r]->(t:Entity) WHERE ${relationValid(asOf)} AND ${RELATION_AFTER}
     RETURN ${RELATION_ROW}, ${KEY} AS key ORDER BY ${RELATION_ORDER} LIMIT $limit`,
    { asOf, key: after === undefined ? ['', '', '', ''] : (JSON.parse(after) as string[]), limit: limit + 1 },
  );
  const shown = rows.slice(0, limit);
  return {
    items: shown.map(relationOf),
    ...(rows.length > limit && { next: JSON.stringify(shown.at(-1)?.key) }),
  };
}

const OBSERVATION_VALID = `coalesce(n.observation_valid_from[i], '${OPEN_START}') <= $asOf
  AND coalesce(n.observation_valid_to[i], '${OPEN_END}') > $asOf`;

export async function stats(run: Run, asOf: AsOf): Promise<Stats> {
  const texts = 'coalesce(n.observations, [])';
  const valid =
    asOf === 'any' ? `size(${texts})` : `size([i IN range(0, size(${texts}) - 1) WHERE ${OBSERVATION_VALID}])`;
  const ofEntities = await run<{ type: string; count: bigint; observations: bigint }>(
    `MATCH (n:Entity) WHERE n.name IS NOT NULL AND ${validAt('n', asOf)}
     RETURN ${typeIn('n')} AS type, count(n) AS count, sum(${valid}) AS observations ORDER BY count DESC, type`,
    { asOf },
  );
  const ofRelations = await run<{ type: string; count: bigint }>(
    `MATCH (f:Entity)-[r]->(t:Entity) WHERE ${relationValid(asOf)}
     RETURN type(r) AS type, count(r) AS count ORDER BY count DESC, type`,
    { asOf },
  );
  const counted = (rows: readonly { type: string; count: bigint }[]) =>
    rows.map(({ type, count }) => ({ type, count: Number(count) }));
  const sum = (counts: readonly (bigint | number)[]) => counts.reduce<number>((all, count) => all + Number(count), 0);
  return {
    entities: sum(ofEntities.rows.map(({ count }) => count)),
    observations: sum(ofEntities.rows.map(({ observations: count }) => count)),
    relations: sum(ofRelations.rows.map(({ count }) => count)),
    entityTypes: counted(ofEntities.rows),
    relationTypes: counted(ofRelations.rows),
  };
}
