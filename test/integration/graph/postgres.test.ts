import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { graphContract } from '../../../src/graph/engine.contract.ts';
import { graphMigrations } from '../../../src/graph/migrations.ts';
import { sqlEngine } from '../../../src/graph/sql/engine.ts';
import { openPostgres } from '../../../src/store/postgres/open.ts';
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

  graphContract('postgres', async () => {
    await one.apart.change('DELETE FROM graph_entities');
    return { one: sqlEngine(one.apart), two: sqlEngine(two.apart), [Symbol.asyncDispose]: async () => {} };
  });
});
