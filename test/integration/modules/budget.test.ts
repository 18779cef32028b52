/** Budgets in PostgreSQL: the same for two replicas, after a crash, and after an embedded store moved there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { budgetContract } from '../../../src/modules/budget.contract.ts';
import { createBudget } from '../../../src/modules/budget.ts';
import { moduleMigrations } from '../../../src/modules/migrations.ts';
import { type PostgresAddress, readAddress } from '../../../src/store/postgres/address.ts';
import { openDatabase } from '../../../src/store/postgres/connection.ts';
import { copyStore } from '../../../src/store/postgres/copy.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { emptyStores, type EmptyStores } from '../../support/postgres-stores.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';

const migrations = new Map([['modules', moduleMigrations]]);
const limit = { most: 1, per: 'day', setting: 'here' } as const;

describe.skipIf(postgresIsMissing)('PostgreSQL', () => {
  const stack = new AsyncDisposableStack();
  let stores: EmptyStores;
  let open: () => Promise<Store>;
  let one: Store;
  let two: Store;
  beforeAll(async () => {
    stores = stack.use(await emptyStores());
    open = await stores.place({ migrations });
    [one, two] = [stack.use(await open()), stack.use(await open())];
  });
  afterAll(() => stack.disposeAsync());

  budgetContract('PostgreSQL', () => [one, two]);

  test('a process that is killed between two calls has spent what it set aside', async () => {
    const script = fileURLToPath(new URL('../../fixtures/budget-spender.ts', import.meta.url));
    const child = spawn(process.execPath, [script, stores.url, stores.home], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    const budget = createBudget(one.tables, 'killed', limit);
    expect(await budget.state()).toMatchObject({ spent: 0.7 });
    await expect(budget.reserve(0.4)).rejects.toThrow('$0.30 of $1.00');
  });

  test('two processes at once never set more aside than there is', async () => {
    const script = fileURLToPath(new URL('../../fixtures/budget-spender.ts', import.meta.url));
    const taken = await Promise.all(
      [1, 2].map(async () => {
        const child = spawn(process.execPath, [script, stores.url, stores.home, 'race'], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const said = await child.stdout.toArray();
        return Number(Buffer.concat(said as Buffer[]).toString());
      }),
    );
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(20);
    expect(await createBudget(one.tables, 'raced', limit).state()).toMatchObject({ spent: 1, left: 0 });
  });
});

test.skipIf(postgresIsMissing)('what was spent moves from an embedded store to PostgreSQL', async () => {
  await using database = await createDatabase();
  await using home = await mkdtempDisposable(join(tmpdir(), 'sluice-budget-'));
  const file = join(home.path, 'sluice.db');
  {
    await using embedded = await openSqlite(file, { migrations });
    await createBudget(embedded.tables, 'moved', limit).reserve(0.6);
  }
  const env = { SLUICE_SECRET_KEY: 'one that all replicas have, 0123456789' };
  const { signal } = new AbortController();
  await using target = openDatabase(readAddress(database.url) as PostgresAddress, 4, 'sluice test');
  const copied = await copyStore(target, { file, home: { home: home.path, env }, migrations, progress() {}, signal });
  expect(copied).toMatchObject({ leftOut: [], rows: { module_spending: 1 } });
  expect(await target.rows('SELECT source, micros::int FROM module_spending')).toEqual([
    { source: 'moved', micros: 600_000 },
  ]);
});
