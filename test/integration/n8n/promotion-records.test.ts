import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { n8nMigrations } from '../../../src/n8n/migrations.ts';
import { promotionContract } from '../../../src/n8n/promotion/records.contract.ts';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';

describe.skipIf(postgresIsMissing)('promotions', () => {
  const stack = new AsyncDisposableStack();
  let store: Store;
  beforeAll(async () => {
    const { url } = stack.use(await createDatabase());
    const home = await mkdtemp(join(tmpdir(), 'sluice-promotions-'));
    stack.defer(() => rm(home, { recursive: true, force: true }));
    const settings = { kind: 'postgres' as const, url, connections: 2 };
    const migrations = new Map([['n8n', n8nMigrations]]);
    store = stack.use(await openPostgres({ home, version: '0', env: {}, settings }, { migrations }));
  });
  afterAll(() => stack.disposeAsync());

  promotionContract('PostgreSQL', () => store.tables);
});
