import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Column } from './columns.ts';
import { filterSql } from './filter.ts';
import { values } from './sql.ts';

const column = (name: string, type: string): Column => ({
  name,
  type,
  shown: type,
  isVector: false,
  isText: type === 'text',
  hasDefault: false,
  isRequired: false,
  comment: null,
});

const roles = { id: column('id', 'uuid'), metadata: column('metadata', 'jsonb'), fields: [column('price', 'numeric')] };

function sql(filter: Record<string, unknown>) {
  const { list, add } = values();
  return { sql: filterSql(filter, roles, add), list };
}

describe('a filter', () => {
  test.each([
    [{ source: 'a' }, `"metadata" @> $1::text::jsonb`, ['{"source":"a"}']],
    [{ 'a.b': 5 }, `"metadata" @> $1::text::jsonb`, ['{"a":{"b":5}}']],
    [{ price: { gte: 5 } }, `"price" >= $1`, ['5']],
    [{ 'metadata.price': true }, `"metadata" @> $1::text::jsonb`, ['{"price":true}']],
    [{ id: { in: ['x', 'y'] } }, `("id" = ANY($1))`, [['x', 'y']]],
    [{ draft: { $exists: false } }, `("metadata" #> $1::text[]) IS NULL`, [['draft']]],
    [
      { or: [{ a: 1 }, { $and: [{ b: 2 }, { c: 3 }] }] },
      `("metadata" @> $1::text::jsonb OR ("metadata" @> $2::text::jsonb AND "metadata" @> $3::text::jsonb))`,
      ['{"a":1}', '{"b":2}', '{"c":3}'],
    ],
    [{ price: { ne: null } }, `(NOT COALESCE("price" IS NULL, false))`, []],
  ])('%j', (filter, expected, list) => {
    expect(sql(filter)).toEqual({ sql: expected, list });
  });

  test('without conditions is none', () => {
    expect(sql({}).sql).toBeUndefined();
  });

  test.each<[Record<string, unknown>, string]>([
    [{ a: { like: 'x' } }, '"like" is not an operator'],
    [{ a: { in: [] } }, 'a.in takes a list'],
    [{ a: { in: 'x' } }, 'a.in takes a list'],
    [{ a: ['x'] }, 'takes a value, or an operator'],
    [{ a: {} }, 'has no condition'],
    [{ or: [] }, 'at least one filter'],
    [{ or: [{}] }, 'each with a condition'],
    [{ not: {} }, 'with a condition'],
    [{ a: { exists: 'yes' } }, 'takes true or false'],
    [{ a: { gt: true } }, 'takes a text or a number'],
    [{ a: { gt: { b: 1 } } }, 'takes a text, a number'],
    [{ not: { not: { not: { not: { not: { not: { not: { a: 1 } } } } } } } }, 'levels deep'],
    [Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, at])), 'more than 50 conditions'],
  ])('%j is refused', (filter, message) => {
    expect(() => sql(filter)).toThrow(message);
  });

  test('never has a name or a value of the caller in its SQL', () => {
    const operator = fc.constantFrom('eq', 'ne', 'gt', 'contains', 'exists', 'in', 'nin');
    const hostile = fc.constantFrom(
      `x'); DROP TABLE a; --`,
      `"; DELETE FROM b`,
      '$1',
      '\\',
      '__proto__',
      'constructor',
    );
    fc.assert(
      fc.property(hostile, operator, hostile, (key, word, text) => {
        const wanted = word === 'exists' ? true : word === 'in' || word === 'nin' ? [text] : text;
        const { sql: made = '', list } = sql({ [key]: { [word]: wanted } });
        expect(made).not.toMatch(/DROP|DELETE|proto|constructor|\\/);
        expect(list.flat().length).toBeGreaterThan(0);
      }),
    );
  });
});
