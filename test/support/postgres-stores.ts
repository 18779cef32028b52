/** Empty stores in one PostgreSQL database, one after the other: a database for each test would take a second each. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openPostgres } from '../../src/store/postgres/open.ts';
import type { Store, StoreOptions } from '../../src/store/store.ts';
import { createDatabase } from './postgres.ts';

export interface EmptyStores extends AsyncDisposable {
  readonly url: string;
  readonly home: string;
  /** A store in which nothing is. What an earlier one kept is gone. */
  open(options?: StoreOptions): Promise<Store>;
  /** Opens the same empty store as often as it is called. */
  place(options?: StoreOptions): Promise<() => Promise<Store>>;
  /** Statements beside the store. */
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export async function emptyStores(connections = 4): Promise<EmptyStores> {
  await using stack = new AsyncDisposableStack();
  const { url } = stack.use(await createDatabase());
  const home = await mkdtemp(join(tmpdir(), 'sluice-postgres-home-'));
  stack.defer(() => rm(home, { recursive: true, force: true }));
  const client = new Client({ connectionString: url });
  await client.connect();
  stack.defer(() => client.end());
  const open = (options: StoreOptions = {}) =>
    openPostgres({ home, version: '0', env: {}, settings: { kind: 'postgres', url, connections } }, options);

  /** Only what is not empty: emptying all tables takes most of the time of a test. The ids of events begin at 1 again. */
  const empty = () =>
    client.query(`DO $$
      DECLARE
        one record;
        used boolean;
      BEGIN
        FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = 'sluice' AND tablename <> 'part_versions' LOOP
          EXECUTE format('SELECT EXISTS (SELECT 1 FROM sluice.%I)', one.tablename) INTO used;
          IF used OR one.tablename = 'events' THEN
            EXECUTE format('TRUNCATE sluice.%I RESTART IDENTITY CASCADE', one.tablename);
          END IF;
        END LOOP;
      END $$`);

  const owned = stack.move();
  return {
    url,
    home,
    async open(options) {
      await empty();
      return await open(options);
    },
    async place(options) {
      await empty();
      return () => open(options);
    },
    sql: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as Row[],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
