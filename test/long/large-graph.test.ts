import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GraphEngine, Walk } from '../../src/graph/engine.ts';
import { asked, ruled } from '../../src/graph/graph.ts';
import { graphMigrations } from '../../src/graph/migrations.ts';
import { sqlEngine } from '../../src/graph/sql/engine.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { createDatabase, postgresIsMissing } from '../support/postgres.ts';

const ENTITIES = 10_000;
const RELATIONS = 50_000;
/** Of the relations, those at one entity. */
const AT_HUB = 8000;
const by = { principal: 'test' };
const migrations = new Map([['graph', graphMigrations]]);

test('a graph of 50,000 relations answers in well under a second, in SQLite', async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'sluice-graph-'));
  await using store = await openSqlite(join(home.path, 'sluice.db'), { migrations });
  const times = await timesOf(ruled(sqlEngine(store.apart), () => {}));
  expect(times.filter(([, ms]) => ms > 1000)).toEqual([]);
});

describe.skipIf(postgresIsMissing)('and in PostgreSQL', () => {
  test('so does it', async () => {
    await using home = await mkdtempDisposable(join(tmpdir(), 'sluice-graph-'));
    await using database = await createDatabase();
    const settings = { kind: 'postgres', url: database.url, connections: 4 } as const;
    await using store = await openPostgres({ home: home.path, version: '0', env: {}, settings }, { migrations });
    const times = await timesOf(ruled(sqlEngine(store.apart), () => {}));
    expect(times.filter(([, ms]) => ms > 1000)).toEqual([]);
  });
});

async function timesOf(graph: GraphEngine): Promise<[string, number][]> {
  await fill(graph);
  const asOf = new Date().toISOString();
  const walk: Walk = { depth: 5, direction: 'both', limit: 2000, asOf };
  const works: Record<string, () => Promise<unknown>> = {
    'neighbours of the hub': () => graph.neighbours('node 0', walk),
    'neighbours of a leaf': () => graph.neighbours('node 77', walk),
    subgraph: () => graph.subgraph(['node 5', 'node 6'], walk),
    path: () => graph.path('node 123', 'node 4567', { ...walk, depth: 20 }),
    'no path': () => graph.path('node 1', 'alone', { ...walk, depth: 20 }),
    'a frequent word': () => graph.search({ ...asked('alpha'), limit: 10, skip: 0, asOf }),
    'rare words': () => graph.search({ ...asked('fact 77 topic'), limit: 10, skip: 0, asOf }),
    'no word': () => graph.search({ ...asked('nowhere'), limit: 10, skip: 0, asOf }),
    hub: () => graph.open(['node 0'], { asOf, observations: 20, relations: 100 }),
    merge: () => graph.merge(['node 1', 'node 2'], 'node 0'),
    delete: () => graph.deleteEntities(['node 0']),
  };
  const times: [string, number][] = [];
  for (const [name, work] of Object.entries(works)) {
    const started = performance.now();
    await work();
    times.push([name, Math.round(performance.now() - started)]);
  }
  return times;
}

async function fill(graph: GraphEngine): Promise<void> {
  await graph.create([{ name: 'alone', type: 'thing' }], by);
  for (let at = 0; at < ENTITIES; at += 500)
    await graph.create(
      Array.from({ length: 500 }, (_, n) => ({
        name: `node ${at + n}`,
        type: `type ${n % 7}`,
        observations: [{ text: `fact ${at + n} about topic ${n % 50} alpha` }, { text: `second ${n} beta` }],
      })),
      by,
    );
  let seed = 1;
  const anyNode = () => `node ${(seed = (seed * 48_271) % 2_147_483_647) % ENTITIES}`;
  for (let at = 0; at < RELATIONS; at += 1000)
    await graph.relate(
      Array.from({ length: 1000 }, (_, n) => ({
        from: at + n < AT_HUB ? 'node 0' : anyNode(),
        type: `r${n % 5}`,
        to: anyNode(),
      })),
      by,
    );
}
