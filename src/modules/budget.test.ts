import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqlite } from '../store/sqlite/open.ts';
import type { Store } from '../store/store.ts';
import { budgetContract } from './budget.contract.ts';
import { createBudget } from './budget.ts';
import { moduleMigrations } from './migrations.ts';

const stack = new AsyncDisposableStack();
let one: Store;
let two: Store;
let open: () => Promise<Store>;
beforeAll(async () => {
  const home = await mkdtemp(join(tmpdir(), 'sluice-budget-'));
  stack.defer(() => rm(home, { recursive: true, force: true }));
  open = () => openSqlite(join(home, 'sluice.db'), { migrations: new Map([['modules', moduleMigrations]]) });
  [one, two] = [stack.use(await open()), stack.use(await open())];
});
afterAll(() => stack.disposeAsync());

budgetContract('SQLite', () => [one, two]);

test('what was set aside stays spent over a restart', async () => {
  const limit = { most: 1, per: 'day', setting: 'here' } as const;
  {
    await using store = await open();
    await createBudget(store.tables, 'restarted', limit).reserve(0.8);
  }
  await using store = await open();
  const budget = createBudget(store.tables, 'restarted', limit);
  expect(await budget.state()).toMatchObject({ spent: 0.8 });
  await expect(budget.reserve(0.3)).rejects.toThrow('$0.20 of $1.00');
});
