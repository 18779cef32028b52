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
  place(): Promise<() => Promise<Store>>;
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
  const tables = `SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') AS all FROM pg_tables
    WHERE schemaname = 'sluice' AND tablename <> 'part_versions'`;

  async function empty(): Promise<void> {
    const { rows } = await client.query<{ all: string | null }>(tables);
    const all = rows[0]?.all;
    if (all) await client.query(`TRUNCATE ${all} RESTART IDENTITY`);
  }

  const owned = stack.move();
  return {
    url,
    home,
    async open(options) {
      await empty();
      return await open(options);
    },
    async place() {
      await empty();
      return () => open();
    },
    sql: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as Row[],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
