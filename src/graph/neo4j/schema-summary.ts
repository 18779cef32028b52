import neo4j, { type Node } from 'neo4j-driver';
import type { Run } from './connection.ts';
import { cypherName } from './cypher-name.ts';
import { plainMap } from './plain-value.ts';
import { isBookkeeping } from './properties.ts';

const SAMPLE = 25;
/** More labels or types are not described. */
const MOST = 60;

type Item = Record<string, unknown>;

export interface SchemaSummary {
  readonly labels: Item[];
  readonly relationships: Item[];
  readonly constraints: Item[];
  readonly indexes: Item[];
  /** How many labels and types were left out. */
  readonly more: number;
}

/** What is in the database. Only with statements that every Neo4j has, without APOC. */
export async function readSchema(run: Run, only: string | undefined): Promise<SchemaSummary> {
  const labels = await namesOf(run, 'CALL db.labels() YIELD label RETURN label AS name ORDER BY name', only);
  const types = await namesOf(
    run,
    'CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType AS name ORDER BY name',
    only,
  );
  const described: [Item[], Item[]] = [[], []];
  for (const label of labels.slice(0, MOST)) described[0].push(...(await describeLabel(run, label)));
  for (const type of types.slice(0, MOST)) described[1].push(...(await describeType(run, type)));
  const about = 'name, type, entityType, labelsOrTypes, properties';
  const concerns = ({ labelsOrTypes }: Item) =>
    only === undefined || (Array.isArray(labelsOrTypes) && labelsOrTypes.includes(only));
  const constraints = (await run<Item>(`SHOW CONSTRAINTS YIELD ${about}`)).rows.map(plainMap);
  const indexes = (await run<Item>(`SHOW INDEXES YIELD ${about}, state`)).rows.map(plainMap);
  return {
    labels: described[0],
    relationships: described[1],
    constraints: constraints.filter(concerns),
    indexes: indexes.filter(concerns),
    more: Math.max(0, labels.length - MOST) + Math.max(0, types.length - MOST),
  };
}

async function namesOf(run: Run, cypher: string, only: string | undefined): Promise<string[]> {
  const { rows } = await run<{ name: string }>(cypher);
  return rows.map(({ name }) => name).filter((name) => (only === undefined || name === only) && !/\\u/i.test(name));
}

async function describeLabel(run: Run, label: string): Promise<Item[]> {
  const count = await countIn(run, `MATCH (n:${cypherName(label)}) RETURN count(n) AS count`);
  // Neo4j remembers labels that no node has any more.
  if (count === 0) return [];
  const { rows } = await run<{ n: Node }>(`MATCH (n:${cypherName(label)}) RETURN n LIMIT $sample`, { sample: SAMPLE });
  return [{ label, count, properties: typesIn(rows.map(({ n }) => n.properties)) }];
}

async function describeType(run: Run, type: string): Promise<Item[]> {
  const pattern = `MATCH (a)-[r:${cypherName(type)}]->(b)`;
  const count = await countIn(run, `MATCH ()-[r:${cypherName(type)}]->() RETURN count(r) AS count`);
  if (count === 0) return [];
  const { rows } = await run<{ from: string[]; to: string[]; stored: object }>(
    `${pattern} RETURN labels(a) AS from, labels(b) AS to, properties(r) AS stored LIMIT $sample`,
    { sample: SAMPLE },
  );
  const distinct = (labels: readonly string[]) => [...new Set(labels)].sort();
  return [
    {
      type,
      count,
      from: distinct(rows.flatMap(({ from }) => from)),
      to: distinct(rows.flatMap(({ to }) => to)),
      properties: typesIn(rows.map(({ stored }) => stored)),
    },
  ];
}

async function countIn(run: Run, cypher: string): Promise<number> {
  const { rows } = await run<{ count: bigint }>(cypher);
  return Number(rows[0]?.count ?? 0n);
}

/** The types of properties, without those that Sluice needs for itself. */
function typesIn(sample: readonly object[]): Record<string, string> {
  const types = new Map<string, Set<string>>();
  for (const [key, value] of sample.flatMap((stored) => Object.entries(stored)))
    if (!isBookkeeping(key)) types.set(key, (types.get(key) ?? new Set()).add(typeOf(value)));
  const named = [...types].map(([key, found]): [string, string] => [key, [...found].sort().join(' | ')]);
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const kinds: readonly (readonly [(value: object) => boolean, string])[] = [
  [neo4j.isDate, 'date'],
  [neo4j.isDateTime, 'datetime'],
  [neo4j.isLocalDateTime, 'local datetime'],
  [neo4j.isTime, 'time'],
  [neo4j.isLocalTime, 'local time'],
  [neo4j.isDuration, 'duration'],
  [neo4j.isPoint, 'point'],
];

function typeOf(value: unknown): string {
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return 'float';
  if (Array.isArray(value)) return `list of ${value.length > 0 ? typeOf(value[0]) : 'anything'}`;
  if (typeof value !== 'object' || value === null) return typeof value;
  return kinds.find(([is]) => is(value))?.[1] ?? 'bytes';
}
