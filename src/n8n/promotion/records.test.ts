import { afterAll, beforeAll } from 'vitest';
import { openSqlite } from '../../store/sqlite/open.ts';
import type { Store } from '../../store/store.ts';
import { n8nMigrations } from '../migrations.ts';
import { promotionContract } from './records.contract.ts';

let store: Store;
beforeAll(async () => {
  store = await openSqlite(':memory:', { migrations: new Map([['n8n', n8nMigrations]]) });
});
afterAll(() => store[Symbol.asyncDispose]());

promotionContract('SQLite', () => store.tables);
