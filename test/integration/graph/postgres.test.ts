import { mkdtemp, mkdtempDisposable, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphContract } from '../../../src/graph/engine.contract.ts';
import { asked } from '../../../src/graph/graph.ts';
import { graphMigrations } from '../../../src/graph/migrations.ts';
import { sqlEngine } from '../../../src/graph/sql/engine.ts';
import { type PostgresAddress, readAddress } from '../../../src/store/postgres/address.ts';
import { openDatabase } from '../../../src/store/postgres/connection.ts';
import { copyStore } from '../../../src/store/postgres/copy.ts';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';

describe.skipIf(postgresIsMissing)('PostgreSQL', () => {
  const stack = new AsyncDisposableStack();
  let one: Store;
  let two: Store;
  beforeAll(async () => {
    const { url } = stack.use(await createDatabase());
    const home = await mkdtemp(join(tmpdir(), 'sluice-graph-'));
    stack.defer(() => rm(home, { recursive: true, force: true }));
    const migrations = new Map([['graph', graphMigrations]]);
    const open = async () =>
      stack.use(
        await openPostgres(
          { home, version: '0', env: {}, settings: { kind: 'postgres', url, connections: 4 } },
          { migrations },
        ),
      );
    [one, two] = [await open(), await open()];
  });
  afterAll(() => stack.disposeAsync());

  test('a graph moves here from SQLite, with its search', async () => {
    await using database = await createDatabase();
    await using home = await mkdtempDisposable(join(tmpdir(), 'sluice-graph-'));
    const file = join(home.path, 'sluice.db');
    const migrations = new Map([['graph', graphMigrations]]);
    const by = { principal: 'ana' };
    {
      await using embedded = await openSqlite(file, { migrations });
      const graph = sqlEngine(embedded.apart);
      await graph.create([{ name: 'Ada', type: 'person', observations: [{ text: 'likes tea' }] }], by);
      await graph.relate([{ from: 'Ada', type: 'is', to: 'Ada' }], by);
    }
    await using target = openDatabase(readAddress(database.url) as PostgresAddress, 4, 'sluice test');
    const env = { SLUICE_SECRET_KEY: 'one that all replicas have, 0123456789' };
    const { signal } = new AbortController();
    const copied = await copyStore(target, { file, home: { home: home.path, env }, migrations, progress() {}, signal });
    expect(copied).toMatchObject({
      leftOut: [],
      rows: { graph_entities: 1, graph_observations: 1, graph_relations: 1 },
    });
    const settings = { kind: 'postgres', url: database.url, connections: 2 } as const;
    await using store = await openPostgres({ home: home.path, version: '0', env, settings }, { migrations });
    const graph = sqlEngine(store.apart);
    const [hit] = await graph.search({ ...asked('tea'), limit: 1, skip: 0, asOf: 'any' });
    expect(hit).toMatchObject({ name: 'Ada', observations: [{ text: 'likes tea', by }] });
    // Ids go on after those that were copied.
    expect((await graph.create([{ name: 'Bob', type: 'person' }], by)).created).toHaveLength(1);
  });

  graphContract('postgres', async () => {
    await one.apart.change('DELETE FROM graph_entities');
    return { one: sqlEngine(one.apart), two: sqlEngine(two.apart), [Symbol.asyncDispose]: async () => {} };
  });
});
