import { describe, expect, it } from 'vitest';
import { executionOf } from './execution.ts';
import { parseSql } from './parse.ts';

const judged = async (sql: string) => executionOf(await parseSql(sql));

describe('SQL that changes something', () => {
  it.each([
    ['DELETE FROM users WHERE id = 1', ['deletes rows of users']],
    ['DELETE FROM shop.users', ['deletes all rows of shop.users']],
    ['UPDATE users SET a = 1', ['changes all rows of users']],
    ['UPDATE users SET a = 1 WHERE true', ['changes all rows of users']],
    ['UPDATE users SET a = 1 WHERE 1 = 1', ['changes all rows of users']],
    ['UPDATE users SET a = 1 WHERE id = id', ['changes all rows of users']],
    ['UPDATE users u SET a = 1 WHERE (u.id) >= u.id AND $1', ['changes all rows of users']],
    [`UPDATE users SET a = 1 WHERE name = 'x' OR 1 = 1`, ['changes all rows of users']],
    ['UPDATE users SET a = 1 WHERE id IS NULL OR id IS NOT NULL', ['changes all rows of users']],
    ['UPDATE users SET a = 1 WHERE id IS NOT DISTINCT FROM id', ['changes all rows of users']],
    ['UPDATE users SET a = 1 WHERE id IN (1, id)', ['changes all rows of users']],
    ['UPDATE users SET a = 1 WHERE id BETWEEN id AND id', ['changes all rows of users']],
    [`UPDATE users SET a = 1 WHERE lower(name) LIKE '%'`, ['changes all rows of users']],
    ['UPDATE users SET a = 1 WHERE NOT false', ['changes all rows of users']],
    ['DELETE FROM users WHERE id = id', ['deletes all rows of users']],
    ['TRUNCATE a, b.c CASCADE', ['empties a, b.c and everything that depends on it']],
    ['DROP TABLE a, b.c', ['drops the table a, b.c']],
    ['DROP SCHEMA a CASCADE', ['drops the schema a and everything that depends on it']],
    ['DROP MATERIALIZED VIEW a', ['drops the materialized view a']],
    ['DROP FUNCTION a.f(int)', ['drops the function a.f']],
    ['DROP TRIGGER t ON a.b', ['drops the trigger t on a.b']],
    ['DROP EXTENSION hstore', ['drops the extension hstore']],
    ['ALTER TABLE a DROP COLUMN b, DROP CONSTRAINT c', ['drops the column b', 'drops the constraint c']],
    ['ALTER TABLE a ALTER b TYPE int', ['converts all values of the column b']],
    ['ALTER TABLE a DISABLE TRIGGER ALL', ['switches triggers or rules off']],
    ['ALTER TABLE a DISABLE ROW LEVEL SECURITY', ['switches row security off']],
    ['WITH d AS (DELETE FROM a RETURNING *) INSERT INTO b SELECT * FROM d', ['deletes all rows of a']],
    ['WITH u AS (UPDATE a SET b = 1 RETURNING *) SELECT * FROM u', ['changes all rows of a']],
    ['MERGE INTO a USING b ON a.id = b.id WHEN MATCHED THEN DELETE', ['deletes rows of a with MERGE']],
    ['MERGE INTO a USING b ON a.id = b.id WHEN MATCHED THEN UPDATE SET c = 1', ['changes rows of a with MERGE']],
    ['REVOKE ALL ON a FROM bob', ['takes rights from others']],
    ['GRANT SELECT ON a TO bob', ['gives rights to others']],
    [
      `CREATE FUNCTION f() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'`,
      ['lets others run a function with the rights of its owner'],
    ],
    ['ALTER FUNCTION f() SECURITY DEFINER', ['lets others run a function with the rights of its owner']],
  ])('asks before %s', async (sql, destroys) => {
    const execution = await judged(sql);
    expect([...execution.destroys].toSorted()).toEqual(destroys.toSorted());
  });

  it.each([
    'INSERT INTO a VALUES (1)',
    'UPDATE a SET b = 1 WHERE id = 2',
    'UPDATE a SET b = 1 WHERE id = 2 AND 1 = 1',
    'UPDATE a SET b = 1 WHERE id = b OR false',
    'UPDATE a SET b = 1 WHERE id <> id',
    'UPDATE a SET b = 1 WHERE id NOT IN (1, id)',
    `UPDATE a SET b = 1 WHERE name LIKE 'x%' OR c IS NULL OR d IS NOT NULL`,
    'UPDATE a SET b = 1 WHERE NOT id = 1',
    `UPDATE a SET b = 1 WHERE name NOT LIKE '%'`,
    'ALTER FUNCTION f() SECURITY INVOKER',
    `CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $$ SELECT pg_read_file('/x') $$`,
    'MERGE INTO a USING b ON a.id = b.id WHEN NOT MATCHED THEN INSERT VALUES (1)',
    'CREATE TABLE a (id int PRIMARY KEY)',
    'CREATE INDEX CONCURRENTLY ON a (b)',
    'ALTER TABLE a ADD COLUMN b int',
    'ALTER TABLE a ALTER b DROP NOT NULL',
    'CREATE OR REPLACE VIEW v AS SELECT 1',
    `CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'`,
    'REFRESH MATERIALIZED VIEW v',
    `COMMENT ON TABLE a IS 'x'`,
    'VACUUM a',
    'CALL p()',
    'SELECT f()',
    'CREATE SCHEMA s',
    `ALTER TYPE e ADD VALUE 'x'`,
  ])('does not ask before %s', async (sql) => {
    await expect(judged(sql)).resolves.toMatchObject({ destroys: [] });
  });

  it.each([
    `COPY a FROM '/x'`,
    'COPY a TO STDOUT',
    `DO 'x'`,
    'BEGIN',
    'SET a = 1',
    'SET ROLE x',
    'CREATE ROLE x',
    'DROP ROLE x',
    'GRANT a TO b',
    'CREATE DATABASE x',
    'ALTER SYSTEM SET a = 1',
    `CREATE SUBSCRIPTION s CONNECTION '' PUBLICATION p`,
    'CREATE USER MAPPING FOR x SERVER y',
    `CREATE TABLESPACE t LOCATION '/x'`,
    'CREATE RULE r AS ON SELECT TO a DO INSTEAD DELETE FROM b',
    'CREATE CAST (a AS b) WITHOUT FUNCTION',
    'REASSIGN OWNED BY a TO b',
    'EXPLAIN SELECT 1',
    'LOCK a',
    'INSERT INTO a SELECT lo_import($1)',
  ])('refuses %s', async (sql) => {
    await expect(judged(sql)).rejects.toThrow(/not allowed|out of reach/);
  });

  it.each([
    ['CREATE INDEX CONCURRENTLY a ON b (c)', true],
    ['DROP INDEX CONCURRENTLY a', true],
    ['VACUUM', true],
    ['ANALYZE a', false],
    ['REINDEX TABLE CONCURRENTLY a', true],
    ['CREATE INDEX a ON b (c)', false],
  ])('knows what runs outside of a transaction: %s', async (sql, alone) => {
    await expect(judged(sql)).resolves.toMatchObject({ alone });
  });

  it.each([
    ['ALTER TABLE a SET SCHEMA b', ['b']],
    ['DROP SCHEMA a, b', ['a', 'b']],
    ['ALTER SCHEMA a RENAME TO b', ['a', 'b']],
    ['CREATE SCHEMA a', ['a']],
    ['DROP TYPE a.t', ['a']],
    ['CREATE TYPE a.t AS ENUM ()', ['a']],
    ['CREATE DOMAIN a.d AS int', ['a']],
    ['GRANT SELECT ON ALL TABLES IN SCHEMA a TO b', ['a']],
    ['COMMENT ON FUNCTION a.f() IS NULL', ['a']],
    ['ALTER FUNCTION a.f() SET SCHEMA b', ['a', 'b']],
    ['REINDEX SCHEMA a', ['a']],
  ])('names the schemas of %s', async (sql, schemas) => {
    const found = (await judged(sql)).schemas;
    expect([...new Set(found)].toSorted()).toEqual(schemas);
  });
});
