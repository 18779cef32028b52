/** Answers that no driver should hold as a whole: a text longer than 512 MB would end the process. With real PostgreSQL. */
import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import { type OwnPostgres, ownPostgres } from '../../support/own-postgres.ts';
import { account, postgresIsMissing } from '../../support/postgres.ts';

const HUGE = `repeat('x', 20000000)`;

const COUNTED = 'SELECT count(*) AS n FROM generate_series(1, 3000000) AS counted';

describe.skipIf(postgresIsMissing)('an answer that is too long', () => {
  const owned = new AsyncDisposableStack();
  let server: OwnPostgres;
  let admin: Client;
  let client: ModuleClient;

  beforeAll(async () => {
    server = owned.use(await ownPostgres());
    const file = (name: string) => join(server.data, name);
    execFileSync(
      'openssl',
      `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout ${file('a.key')} -out ${file('a.pem')}`.split(
        ' ',
      ),
      { stdio: 'pipe' },
    );
    const { uid, gid } = account();
    if (uid !== undefined && gid !== undefined) for (const name of ['a.key', 'a.pem']) chownSync(file(name), uid, gid);
    await server.start('ssl=on', `ssl_cert_file=${file('a.pem')}`, `ssl_key_file=${file('a.key')}`);
    admin = new Client({ connectionString: server.url() });
    await admin.connect();
    owned.defer(() => admin.end());
    await admin.query(`
      CREATE TABLE notes (id int);
      CREATE FUNCTION loud(length int) RETURNS int STABLE LANGUAGE plpgsql
        AS $$ BEGIN RAISE NOTICE '%', repeat('x', length); RETURN 1; END $$`);
    const url = server.url();
    client = owned.use(
      await moduleClient({
        postgres: { url, mode: 'read-write' },
        encrypted: { type: 'postgres', url, insecure: true },
      }),
    );
  });
  afterAll(() => owned.disposeAsync());

  const pids = async () => {
    const { rows } = await admin.query(`SELECT pid FROM pg_stat_activity WHERE application_name = 'sluice'`);
    return rows.map(({ pid }: { pid: number }) => pid);
  };

  it.each([
    ['row', 'query', { sql: `EXPLAIN (VERBOSE) SELECT ${HUGE}` }],
    ['row', 'explain_query', { sql: `SELECT 1 FROM pg_class WHERE relname = ${HUGE}` }],
    ['error', 'query', { sql: `SELECT ${HUGE}::int` }],
    ['notice', 'query', { sql: 'SELECT loud(20000000)' }],
  ])('ends its connection: one %s', async (kind, tool, params) => {
    for (const source of ['postgres', 'encrypted']) {
      const meanwhile = client.read(source, `${source}_query`, { sql: COUNTED });
      const said = await client.refused(source, `${source}_${tool}`, params);
      expect(said).toContain(`one ${kind} of 20 MB, and 16 MB are the limit`);
      expect(said).toContain('left(value, 1000)');
      expect(await meanwhile).toMatchObject({ rows: [{ n: 3_000_000 }] });
      expect(client.health(source)).toMatchObject({ state: 'ready' });
    }
    const answered = await client.read<{ rows: { pid: number }[] }>('postgres', 'postgres_query', {
      sql: 'SELECT pg_backend_pid() AS pid',
    });
    expect(await pids()).toContain(answered.rows[0]?.pid);
  });

  it('keeps nothing of what it had begun', async () => {
    const sql = `INSERT INTO notes VALUES (1) RETURNING ${HUGE}`;
    expect(await client.refused('postgres', 'postgres_execute', { sql })).toContain('rolls its transaction back');
    expect((await admin.query('SELECT FROM notes')).rowCount).toBe(0);
  });

  it('is none if it is only long: it is cut', async () => {
    expect(await client.refused('postgres', 'postgres_query', { sql: `SELECT repeat('x', 3000000)::int` })).toContain(
      'invalid input syntax for type integer',
    );
    const loud = await client.call<{ notices: string[] }>('postgres', 'postgres_execute', {
      sql: 'SELECT loud(3000000)',
    });
    expect(loud.notices[0]).toMatch(/^x+… \(\d+ characters\)$/);
    const returned = `INSERT INTO notes SELECT generate_series(1, 20) RETURNING repeat('x', 1000000) AS long`;
    const inserted = await client.call('postgres', 'postgres_execute', { sql: returned });
    expect(inserted).toMatchObject({ count: 20, more: true });
  });
});
