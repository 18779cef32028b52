/** Several callers share the few connections of a module. With keys, and real PostgreSQL. */
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { toolsOver } from '../../support/invoke.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';
import { startGateway } from '../harness.ts';

/** Waits until the test lets go of the table. */
const SLOW = { sql: 'SELECT count(*) AS found FROM held' };

async function connected(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  return client;
}

test.skipIf(postgresIsMissing)('slow reads of one key leave connections for others', async () => {
  await using database = await createDatabase();
  await using gateway = await startGateway({
    auth: { mode: 'keys' },
    modules: { postgres: { url: database.url, timeout: '1m' } },
  });
  const [admin, holder] = [await connected(database.url), await connected(database.url)];
  await admin.query('CREATE TABLE held ()');
  await holder.query('BEGIN; LOCK TABLE held');
  const running = async () =>
    (await admin.query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
      .rowCount;
  const caller = async (name: string) => {
    const { key } = await createKey(gateway.runtime.store.keys, {
      name,
      scopes: ['postgres:read'],
      createdAt: new Date().toISOString(),
      createdBy: 'test',
    });
    return toolsOver(gateway.url, { authorization: `Bearer ${key}` });
  };
  const [busy, other] = [await caller('busy'), await caller('other')];

  const said: unknown[] = [];
  const ends = Array.from({ length: 5 }, () =>
    busy('postgres_query', SLOW)
      .catch(String)
      .then((answer) => said.push(answer)),
  );
  await expect.poll(running).toBe(2);
  for (let call = 0; call < 5; call++) {
    expect(await other('postgres_query', { sql: 'SELECT 1 AS one' })).toMatchObject({ rows: [{ one: 1 }] });
    expect(await running()).toBe(2);
  }
  await expect.poll(() => said.length, { timeout: 45_000 }).toBe(3);
  for (const text of said) expect(text).toContain('Your other calls use the 2 connections of postgres');
  expect(await running()).toBe(2);
  await holder.end();
  await Promise.all(ends);
  for (const answer of said.slice(3)) expect(answer).toMatchObject({ rows: [{ found: 0 }] });
  // Nothing is left taken.
  expect(await busy('postgres_query', { sql: 'SELECT 1 AS one' })).toMatchObject({ rows: [{ one: 1 }] });
  await admin.end();
});
