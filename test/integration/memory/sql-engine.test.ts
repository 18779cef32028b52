import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { engineContract } from '../../../src/memory/engine.contract.ts';
import { memoryMigrations } from '../../../src/memory/migrations.ts';
import { sqlEngine } from '../../../src/memory/sql/engine.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { emptyStores, type EmptyStores } from '../../support/postgres-stores.ts';

const migrations = new Map([['memory', memoryMigrations]]);

engineContract('sqlite', async () => {
  const stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-memory-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const open = async () => sqlEngine(stack.use(await openSqlite(join(folder, 'sluice.db'), { migrations })).apart);
  const engine = await open();
  return { engine, another: open, [Symbol.asyncDispose]: () => stack.disposeAsync() };
});

describe.skipIf(postgresIsMissing)('PostgreSQL', () => {
  let stores: EmptyStores;
  beforeAll(async () => {
    stores = await emptyStores();
  });
  afterAll(() => stores[Symbol.asyncDispose]());

  engineContract('postgres', async () => {
    const place = await stores.place({ migrations });
    const stack = new AsyncDisposableStack();
    const open = async () => sqlEngine(stack.use(await place()).apart);
    const engine = await open();
    return { engine, another: open, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  });
});
