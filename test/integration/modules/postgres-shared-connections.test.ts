/** Several callers share the few connections of a module. With keys, and real PostgreSQL. */
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { toolsOver } from '../../support/invoke.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';
import { startGateway } from '../harness.ts';

const SLOW = { sql: 'SELECT count(*) FROM generate_series(1, 100000000000) AS endless' };

test.skipIf(postgresIsMissing)('slow reads of one key leave connections for others', async () => {
  await using database = await createDatabase();
  await using gateway = await startGateway({
    auth: { mode: 'keys' },
    modules: { postgres: { url: database.url, timeout: '8s' } },
  });
  const admin = new Client({ connectionString: database.url });
  admin.on('error', () => {});
  await admin.connect();
  const running = async () =>
    (
      await admin.query(
        `SELECT FROM pg_stat_activity WHERE query LIKE '%endless%' AND state = 'active' AND pid <> pg_backend_pid()`,
      )
    ).rowCount;
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

  const ends = Array.from({ length: 5 }, () => busy('postgres_query', SLOW).catch(String));
  await expect.poll(running, { timeout: 6000 }).toBe(2);
  for (let call = 0; call < 5; call++) {
    expect(await other('postgres_query', { sql: 'SELECT 1 AS one' })).toMatchObject({ rows: [{ one: 1 }] });
    expect(await running()).toBe(2);
  }
  const said = await Promise.all(ends);
  const turnedAway = said.filter((text) => String(text).includes('that one caller may use at a time'));
  expect(turnedAway, said.join('\n')).toHaveLength(3);
  expect(turnedAway[0]).toContain('Your other calls use the 2 connections of postgres');
  await expect.poll(running, { timeout: 5000 }).toBe(0);
  // Nothing is left taken.
  expect(await busy('postgres_query', { sql: 'SELECT 1 AS one' })).toMatchObject({ rows: [{ one: 1 }] });
  await admin.end();
});
