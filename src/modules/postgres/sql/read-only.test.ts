import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSql } from './parse.ts';
import { readingOf } from './read-only.ts';

const judged = async (sql: string) => readingOf(await parseSql(sql));

describe('SQL that only reads', () => {
  it.each([
    'SELECT 1',
    'select * from a join b using (id) where a.x in (select y from c) order by 1 limit 5;',
    'TABLE users',
    'VALUES (1, 2), (3, 4)',
    'WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT sum(n) FROM t',
    'SELECT a, count(*) FILTER (WHERE b) OVER (PARTITION BY c ORDER BY d) FROM e GROUP BY GROUPING SETS ((a), ())',
    `SELECT data->>'x', (data).y[1], array[1, 2], row(1, 2), x::numeric(10, 2), date '2026-01-01' FROM t`,
    'SELECT * FROM t TABLESAMPLE system (1)',
    'SELECT * FROM generate_series(1, 3) WITH ORDINALITY AS g(n, at), LATERAL (SELECT g.n) AS l',
    `SELECT * FROM json_table('[]', '$[*]' COLUMNS (a int PATH '$.a')) AS j`,
    `SELECT xmlelement(name a, 1), extract(year FROM now()), overlay('a' placing 'b' from 1), current_user`,
    'SELECT CASE WHEN a THEN b ELSE c END, coalesce(a, b), greatest(a, b), a IS DISTINCT FROM b, NOT a FROM t',
    'SHOW server_version',
    'EXPLAIN SELECT 1',
    'EXPLAIN (ANALYZE, BUFFERS) SELECT 1',
    'EXPLAIN (ANALYZE off) DELETE FROM users',
    'EXPLAIN INSERT INTO users (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 2 RETURNING *',
    '/* a comment */ SELECT 1 -- and another',
  ])('accepts %s', async (sql) => {
    await expect(judged(sql)).resolves.toMatchObject({ statement: { sql: expect.any(String) } });
  });

  it('cuts the statement out of what surrounds it, counting characters and not bytes', async () => {
    const { statement } = await judged(` ;; SELECT 'ü€' AS "ä" ; `.replace(';;', ''));
    expect(statement.sql).toBe(`SELECT 'ü€' AS "ä"`);
  });

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['-- nothing', 'no statement'],
    [';', 'no statement'],
    ['SELEC 1', 'line 1, column 1'],
    ['SELECT\n  1 +', 'syntax error'],
    ['SELECT 1; SELECT 2', '2 statements'],
    ['SELECT \0', 'null character'],
    [`SELECT '${'x'.repeat(60_000)}'`, 'params'],
  ])('says what is wrong with %j', async (sql, said) => {
    await expect(judged(sql)).rejects.toThrow(said);
  });

  const writes = fc.constantFrom(
    'DELETE FROM users RETURNING *',
    'INSERT INTO users VALUES (1) RETURNING id',
    'UPDATE users SET id = 2 RETURNING *',
    'SELECT 1 FROM users FOR UPDATE',
    'SELECT * FROM users FOR KEY SHARE SKIP LOCKED',
    `SELECT pg_read_file('x')`,
    `SELECT 1 FROM pg_ls_dir('/') AS x`,
    `SELECT set_config('a', 'b', true)`,
  );
  /** Where a statement can stand in another. */
  const places = fc.constantFrom<((inner: string) => string)[]>(
    (inner) => `WITH a AS (${inner}) SELECT * FROM a`,
    (inner) => `WITH a AS (SELECT 1), b AS MATERIALIZED (${inner}) SELECT * FROM a, b`,
    (inner) => `SELECT * FROM (WITH c AS (${inner}) TABLE c) AS q`,
    (inner) => `SELECT (WITH c AS (${inner}) SELECT count(*) FROM c)`,
    (inner) => `SELECT 1 UNION ALL (WITH c AS (${inner}) SELECT 1)`,
    (inner) => `SELECT 1 WHERE EXISTS (WITH c AS (${inner}) SELECT 1 FROM c)`,
    (inner) => `EXPLAIN ANALYZE WITH a AS (${inner}) SELECT * FROM a`,
    (inner) => `VALUES ((WITH c AS (${inner}) SELECT 1 FROM c))`,
    (inner) => `SELECT array(WITH c AS (${inner}) SELECT 1 FROM c)`,
    (inner) => `SELECT sum(1) OVER (ORDER BY (WITH c AS (${inner}) SELECT 1 FROM c)) FROM t LIMIT (SELECT 1)`,
  );

  it('never accepts a write, wherever it hides', async () => {
    await fc.assert(
      fc.asyncProperty(writes, fc.array(places, { minLength: 1, maxLength: 4 }), async (write, around) => {
        const [first, ...others] = around;
        let sql = (first as (inner: string) => string)(write);
        // EXPLAIN stands outside only.
        for (const place of others) if (!sql.startsWith('EXPLAIN')) sql = place(sql);
        await expect(judged(sql), sql).rejects.toThrow(/only reading is allowed|out of reach/);
      }),
      { numRuns: 300 },
    );
  });

  it('fails with a clear error on any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        const failure = await judged(text).then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(failure === undefined || (failure as Error).name === 'AppError', String(failure)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
