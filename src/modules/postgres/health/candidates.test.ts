import { expect, it } from 'vitest';
import { parseSql } from '../sql/parse.ts';
import { blocksOf, candidatesFor } from './candidates.ts';
import { indexSql, isCovered, keysText } from './index-sql.ts';

async function candidates(
  sql: string,
  alias = 'orders',
  columns = ['id', 'customer', 'state', 'placed', 'name', 'tags'],
) {
  const { kind, node } = await parseSql(sql);
  return blocksOf({ [kind]: node }).flatMap((block) =>
    candidatesFor(block, ({ table, column }) => (table ?? alias) === alias && columns.includes(column)),
  );
}

const keys = async (...given: Parameters<typeof candidates>) => (await candidates(...given)).map(keysText);

it.each([
  [
    'equal first, then the range',
    "SELECT * FROM orders WHERE placed > now() AND customer = 1 AND state = 'x'",
    'customer, state, placed',
  ],
  [
    'equal, then the order',
    'SELECT * FROM orders WHERE customer = $1 ORDER BY placed DESC, id',
    'customer, placed DESC, id',
  ],
  ['a list is equal', 'SELECT * FROM orders WHERE state IN (1, 2) AND placed BETWEEN 1 AND 2', 'state, placed'],
  ['ANY is equal', 'SELECT * FROM orders WHERE state = ANY($1)', 'state'],
  ['IS NULL is equal', 'SELECT * FROM orders WHERE state IS NULL', 'state'],
  ['the other way round', 'SELECT * FROM orders WHERE 3 < placed', 'placed'],
  ['the beginning of a text', "SELECT * FROM orders WHERE name LIKE 'a%'", 'name text_pattern_ops'],
  ['a function of a column', 'SELECT * FROM orders WHERE lower(name) = $1', 'lower(name)'],
  ['the order alone, with a limit', 'SELECT * FROM orders ORDER BY placed LIMIT 3', 'placed'],
  ['what is changed', 'UPDATE orders SET state = 1 WHERE customer = 2', 'customer'],
  ['what is deleted', 'DELETE FROM orders WHERE customer = 2', 'customer'],
  ['inside of another', 'SELECT (SELECT max(id) FROM orders WHERE customer = c.id) FROM clients c', 'customer'],
])('takes %s', async (_, sql, first) => {
  expect((await keys(sql))[0]).toBe(first);
});

it('takes the column of a join', async () => {
  const sql = 'SELECT * FROM clients c JOIN orders o ON o.customer = c.id WHERE o.state = 1';
  expect(await keys(sql, 'o')).toEqual(
    expect.arrayContaining(['customer, state', 'state, customer', 'customer', 'state']),
  );
  expect(await keys(sql, 'c', ['id'])).toEqual(['id']);
});

it('takes each arm of an OR', async () => {
  expect(await keys('SELECT * FROM orders WHERE customer = 1 OR state = 2')).toEqual(['customer', 'state']);
});

it('takes GIN for what is contained', async () => {
  expect(await candidates("SELECT * FROM orders WHERE tags @> '{}'")).toEqual([
    { method: 'gin', keys: [{ column: 'tags' }] },
  ]);
});

it.each([
  'SELECT * FROM orders',
  "SELECT * FROM orders WHERE name LIKE '%a'",
  'SELECT * FROM orders WHERE state <> 1',
  'SELECT * FROM orders ORDER BY placed',
  'SELECT * FROM orders WHERE customer + 1 = 2',
  'SELECT * FROM orders WHERE state IS NOT NULL',
  'VALUES (1)',
  'SELECT 1',
])('takes nothing of %s', async (sql) => {
  expect(await keys(sql)).toEqual([]);
});

it('stays small for a hostile statement', async () => {
  const many = Array.from({ length: 400 }, (_, n) => `c${n} = ${n}`);
  const columns = many.map((_, n) => `c${n}`);
  expect((await keys(`SELECT * FROM orders WHERE ${many.join(' AND ')}`, 'orders', columns)).length).toBeLessThan(20);
  expect((await keys(`SELECT * FROM orders WHERE ${many.join(' OR ')}`, 'orders', columns)).length).toBeLessThan(50);
});

it('knows what an index that is there does already', () => {
  const there = [{ method: 'btree', keys: ['customer', 'placed', 'lower((name)::text)'], isPartial: false }];
  const candidate = (...columns: string[]) => ({
    method: 'btree' as const,
    keys: columns.map((column) => ({ column })),
  });
  expect(isCovered(candidate('customer'), there)).toBe(true);
  expect(isCovered(candidate('customer', 'placed'), there)).toBe(true);
  expect(isCovered(candidate('placed'), there)).toBe(false);
  expect(
    isCovered(
      { method: 'btree', keys: [...candidate('customer', 'placed').keys, { column: 'name', func: 'lower' }] },
      there,
    ),
  ).toBe(true);
  expect(
    isCovered(
      candidate('customer'),
      there.map((one) => ({ ...one, isPartial: true })),
    ),
  ).toBe(false);
});

it('writes the statement', () => {
  expect(indexSql('My Shop', 'orders', { method: 'gin', keys: [{ column: 'Tags' }] })).toBe(
    'CREATE INDEX CONCURRENTLY ON "My Shop".orders USING gin ("Tags")',
  );
});
