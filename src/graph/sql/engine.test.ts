import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openSqlite } from '../../store/sqlite/open.ts';
import type { Store } from '../../store/store.ts';
import { graphContract } from '../engine.contract.ts';
import { graphMigrations } from '../migrations.ts';
import { sqlEngine } from './engine.ts';

const stack = new AsyncDisposableStack();
let one: Store;
let two: Store;
beforeAll(async () => {
  const home = await mkdtemp(join(tmpdir(), 'sluice-graph-'));
  stack.defer(() => rm(home, { recursive: true, force: true }));
  const migrations = new Map([['graph', graphMigrations]]);
  const open = async () => stack.use(await openSqlite(join(home, 'sluice.db'), { migrations }));
  [one, two] = [await open(), await open()];
});
afterAll(() => stack.disposeAsync());

graphContract('sqlite', async () => {
  await one.apart.change('DELETE FROM graph_entities');
  return { one: sqlEngine(one.apart), two: sqlEngine(two.apart), [Symbol.asyncDispose]: async () => {} };
});
