/**
 * SQL that tries to do more than read, as a superuser, for whom PostgreSQL itself would allow nearly all of it even in
 * a read-only transaction. Each is refused, and nothing changes.
 */
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import { createDatabase, postgresIsMissing, type TestDatabase } from '../../support/postgres.ts';

const FILE = join(tmpdir(), `sluice-hostile-${process.pid}`);

/** What each kind of attack is, with the SQL of it. */
const hostile: Readonly<Record<string, readonly string[]>> = {
  'plain writes': [
    `INSERT INTO users VALUES (3, 'Eve')`,
    `UPDATE users SET name = 'Eve'`,
    'DELETE FROM users',
    'TRUNCATE users',
    `MERGE INTO users USING (VALUES (1)) AS v(id) ON users.id = v.id WHEN MATCHED THEN DELETE`,
  ],
  definitions: [
    'DROP TABLE users',
    'CREATE TABLE eve (id int)',
    'ALTER TABLE users ADD COLUMN eve int',
    'CREATE VIEW eve AS SELECT 1',
    'CREATE FUNCTION eve() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    'CREATE INDEX eve ON users (name)',
    `COMMENT ON TABLE users IS 'eve'`,
    'CREATE TEMP TABLE eve (id int)',
  ],
  'several statements': [
    'SELECT 1; DELETE FROM users',
    'SELECT 1; COMMIT; DELETE FROM users',
    'COMMIT; DELETE FROM users; BEGIN',
    `SELECT 1 /* ; */ ; /* */ DELETE FROM users --`,
  ],
  'a common table expression that writes': [
    'WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone',
    `WITH more AS (INSERT INTO users VALUES (3, 'Eve') RETURNING id) SELECT count(*) FROM more`,
    `SELECT * FROM (WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone) AS q`,
  ],
  'SELECT INTO and CREATE TABLE AS': ['SELECT * INTO eve FROM users', 'CREATE TABLE eve AS SELECT 1'],
  'row locks': ['SELECT * FROM users FOR UPDATE', 'SELECT * FROM (SELECT * FROM users FOR SHARE) AS q'],
  'COPY to files and programs': [
    `COPY users TO '${FILE}'`,
    `COPY (SELECT 1) TO PROGRAM 'touch ${FILE}'`,
    `COPY users FROM '/etc/passwd'`,
    `COPY users FROM PROGRAM 'echo 3'`,
    'COPY users TO STDOUT',
  ],
  'anonymous code': [`DO $$ BEGIN DELETE FROM users; END $$`],
  procedures: ['CALL wipe()'],
  'functions that write': [
    'SELECT erase()',
    'SELECT * FROM erase()',
    'SELECT 1 ORDER BY erase()',
    'SELECT u.erased FROM users u',
    'SELECT (u).erased FROM users u',
    'SELECT 1 WHERE EXISTS (SELECT erase())',
    'SELECT 2 <<!>> 3',
    'SELECT worst(id) FROM users',
    `SELECT 'x'::text::odd`,
    'VALUES (erase())',
    'SELECT public.erase()',
    'SELECT sum(erase()) OVER () FROM users',
  ],
  'server files': [
    `SELECT pg_read_file('/etc/passwd')`,
    `SELECT pg_catalog.pg_read_binary_file('/etc/passwd')`,
    `SELECT * FROM pg_ls_dir('/')`,
    `SELECT (pg_stat_file('/etc/passwd')).size`,
    'SELECT * FROM pg_ls_logdir()',
    'SELECT * FROM pg_hba_file_rules',
    `SELECT "pg_read_file"('/etc/passwd')`,
    `SELECT U&"pg\\005fread_file"('/etc/passwd')`,
  ],
  'large objects': [
    `SELECT lo_import('/etc/passwd')`,
    `SELECT lo_export(1, '${FILE}')`,
    `SELECT lo_from_bytea(0, 'x')`,
    'SELECT lo_unlink(1)',
    'SELECT * FROM pg_largeobject',
  ],
  'SQL in a text': [
    `SELECT query_to_xml('DELETE FROM users', true, true, '')`,
    `SELECT table_to_xml('users', true, true, '')`,
    `SELECT database_to_xml(true, true, '')`,
    `SELECT * FROM ts_stat('SELECT erase()::text::tsvector')`,
    `SELECT ts_rewrite('a'::tsquery, 'DELETE FROM users')`,
  ],
  'other sessions': [
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity',
    'SELECT pg_cancel_backend(pid) FROM pg_stat_activity',
    'SELECT pg_advisory_lock(1)',
    `SELECT pg_notify('a', 'b')`,
    'LOCK TABLE users',
    'NOTIFY a',
    'LISTEN a',
  ],
  'the server': [
    'SELECT pg_reload_conf()',
    'SELECT pg_switch_wal()',
    'SELECT pg_rotate_logfile()',
    'SELECT pg_stat_reset()',
    `ALTER SYSTEM SET work_mem = '1GB'`,
    'CHECKPOINT',
    'CREATE DATABASE eve',
    `LOAD 'dblink'`,
    'VACUUM users',
    `SELECT pg_create_physical_replication_slot('eve')`,
  ],
  'parameters and roles': [
    `SELECT set_config('default_transaction_read_only', 'off', false)`,
    'SET default_transaction_read_only = off',
    'SET TRANSACTION READ WRITE',
    'SET ROLE postgres',
    'RESET ALL',
    'CREATE ROLE eve SUPERUSER',
    'GRANT ALL ON users TO PUBLIC',
    'ALTER ROLE CURRENT_USER SET work_mem = 1',
  ],
  sequences: [`SELECT nextval('numbers')`, `SELECT setval('numbers', 99)`],
  transactions: ['BEGIN', 'COMMIT', 'ROLLBACK; DROP TABLE users', `PREPARE TRANSACTION 'eve'`],
  'prepared statements and cursors': [
    'PREPARE eve AS DELETE FROM users',
    'EXECUTE eve',
    'DECLARE eve CURSOR FOR SELECT 1',
    'DISCARD ALL',
    'DEALLOCATE ALL',
  ],
  'EXPLAIN that runs': [
    'EXPLAIN ANALYZE DELETE FROM users',
    'EXPLAIN (ANALYZE true) UPDATE users SET id = id',
    'EXPLAIN (ANALYZE, COSTS off) SELECT erase()',
    'EXPLAIN (ANALYZE off, ANALYZE on) DELETE FROM users',
    'EXPLAIN ANALYZE CREATE TABLE eve AS SELECT 1',
    'EXPLAIN EXECUTE eve',
  ],
  'extensions and servers': ['CREATE EXTENSION dblink', 'CREATE EXTENSION file_fdw', `SELECT dblink_exec('', 'x')`],
  passwords: [
    'SELECT * FROM pg_authid',
    'SELECT passwd FROM pg_shadow',
    'SELECT * FROM pg_catalog.pg_user_mapping',
    'WITH x AS (SELECT * FROM pg_authid), pg_authid AS (SELECT 1) SELECT * FROM x',
  ],
  'the tables of Sluice, by name': [
    'SELECT * FROM sluice.keys',
    'SELECT (SELECT count(*) FROM sluice.keys)',
    'TABLE sluice.keys',
    'EXPLAIN ANALYZE SELECT * FROM sluice.keys',
  ],
};

describe.skipIf(postgresIsMissing)('hostile SQL', () => {
  let database: TestDatabase;
  let admin: Client;
  let client: ModuleClient;
  let writer: ModuleClient;
  let before: unknown;

  /** Everything that could have changed. */
  async function state(): Promise<unknown> {
    const { rows } = await admin.query(`SELECT
      (SELECT json_agg(u ORDER BY id) FROM users u) AS users,
      (SELECT string_agg(oid || relname || relnatts, ',' ORDER BY oid) FROM pg_class WHERE oid >= 16384) AS classes,
      (SELECT string_agg(oid || proname, ',' ORDER BY oid) FROM pg_proc WHERE oid >= 16384) AS functions,
      (SELECT string_agg(rolname || rolsuper, ',' ORDER BY rolname) FROM pg_roles) AS roles,
      (SELECT count(*) FROM pg_largeobject_metadata) AS objects,
      (SELECT last_value || is_called::text FROM numbers) AS numbers,
      (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory') AS locks,
      (SELECT count(*) FROM pg_replication_slots) AS slots,
      (SELECT string_agg(extname, ',') FROM pg_extension) AS extensions,
      (SELECT relacl::text FROM pg_class WHERE relname = 'users') AS rights`);
    return { ...rows[0], file: existsSync(FILE) };
  }

  beforeAll(async () => {
    database = await createDatabase();
    admin = new Client({ connectionString: database.url });
    admin.on('error', () => {});
    await admin.connect();
    await admin.query(`
      CREATE TABLE users (id int PRIMARY KEY, name text);
      INSERT INTO users VALUES (1, 'Ada'), (2, 'Bo');
      CREATE SEQUENCE numbers;
      CREATE FUNCTION erase() RETURNS int LANGUAGE plpgsql AS 'BEGIN DELETE FROM users; RETURN 1; END';
      CREATE FUNCTION erased(users) RETURNS int LANGUAGE plpgsql AS 'BEGIN DELETE FROM users; RETURN 1; END';
      CREATE FUNCTION odd_sum(int, int) RETURNS int LANGUAGE plpgsql AS 'BEGIN DELETE FROM users; RETURN 1; END';
      CREATE OPERATOR <<!>> (FUNCTION = odd_sum, LEFTARG = int, RIGHTARG = int);
      CREATE AGGREGATE worst(int) (SFUNC = odd_sum, STYPE = int, INITCOND = '0');
      CREATE TYPE odd AS (a int);
      CREATE FUNCTION to_odd(text) RETURNS odd LANGUAGE plpgsql AS 'BEGIN DELETE FROM users; RETURN row(1); END';
      CREATE CAST (text AS odd) WITH FUNCTION to_odd(text);
      CREATE PROCEDURE wipe() LANGUAGE sql AS 'DELETE FROM users';
      ANALYZE`);
    client = await moduleClient({ postgres: { url: database.url } });
    writer = await moduleClient({ postgres: { url: database.url, mode: 'read-write' } });
    before = await state();
  });
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
    await writer?.[Symbol.asyncDispose]();
    await admin?.end();
    await database?.[Symbol.asyncDispose]();
    rmSync(FILE, { force: true });
  });

  it.each(Object.entries(hostile))('refuses %s', async (_, statements) => {
    for (const sql of statements) {
      const said = await client.refused('postgres', 'query', { sql });
      expect(said, sql).not.toMatch(/Unexpected failure|internal|root:/);
      expect(said.length, sql).toBeGreaterThan(30);
    }
    expect(await state()).toEqual(before);
  });

  it('is what a superuser could otherwise do', async () => {
    const { rows } = await admin.query(`SELECT current_setting('is_superuser') AS super`);
    expect(rows).toEqual([{ super: 'on' }]);
    await admin.query('BEGIN READ ONLY');
    const { rows: read } = await admin.query(`SELECT length(pg_read_file('/etc/passwd')) > 0 AS read`);
    await admin.query('ROLLBACK');
    expect(read).toEqual([{ read: true }]);
  });

  it.each([
    `COPY users TO PROGRAM 'touch ${FILE}'`,
    'DO $$ BEGIN DELETE FROM users; END $$',
    `SELECT pg_read_file('/etc/passwd')`,
    `INSERT INTO users SELECT 9, pg_read_file('/etc/passwd')`,
    `SELECT lo_export(1, '${FILE}')`,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity',
    `ALTER SYSTEM SET work_mem = '1GB'`,
    'SET ROLE postgres',
    `SELECT set_config('role', 'postgres', false)`,
    'CREATE ROLE eve SUPERUSER',
    'ALTER ROLE CURRENT_USER NOSUPERUSER',
    'CREATE DATABASE eve',
    'CREATE EXTENSION dblink',
    `CREATE FUNCTION eve() RETURNS int LANGUAGE c AS 'x', 'y'`,
    'CREATE SERVER eve FOREIGN DATA WRAPPER x',
    'CREATE EVENT TRIGGER eve ON ddl_command_start EXECUTE FUNCTION erase()',
    'BEGIN',
    'COMMIT; DROP TABLE users',
    'DROP OWNED BY CURRENT_USER',
    'DELETE FROM sluice.keys',
    'DROP TABLE sluice.keys',
    'DROP SCHEMA sluice CASCADE',
    'ALTER SCHEMA sluice RENAME TO eve',
    'ALTER TABLE users SET SCHEMA sluice',
    'CREATE TABLE sluice.eve (id int)',
    'CREATE VIEW eve AS SELECT * FROM sluice.keys',
    `INSERT INTO users SELECT 9, secret FROM sluice.keys`,
    'GRANT ALL ON SCHEMA sluice TO PUBLIC',
    'COMMENT ON TABLE sluice.keys IS $$eve$$',
    'CREATE INDEX CONCURRENTLY eve ON sluice.keys (id)',
    'TRUNCATE sluice.keys',
    'SELECT * FROM pg_authid',
    'PREPARE eve AS SELECT 1',
    'VACUUM sluice.keys',
  ])('postgres_execute refuses: %s', async (sql) => {
    const said = await writer.refused('postgres', 'execute', { sql });
    expect(said).not.toMatch(/Unexpected failure|"confirm"|root:/);
    // Locks are gone once the connection is rolled back, which nobody waits for.
    await expect.poll(state).toEqual(before);
  });
});
