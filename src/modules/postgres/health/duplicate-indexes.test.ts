import { expect, it } from 'vitest';
import { type IndexShape, judgeDuplicates, redundantOf } from './duplicate-indexes.ts';

const index = (name: string, keys: string[], more: Partial<IndexShape> = {}): IndexShape => ({
  schema: 'public',
  table: 'orders',
  name,
  method: 'btree',
  keys,
  included: [],
  predicate: null,
  isUnique: false,
  isNeeded: false,
  bytes: 1024,
  ...more,
});

const dropped = (...indexes: IndexShape[]) =>
  redundantOf(indexes).map(({ index: { name }, by }) => `${name} < ${by.name}`);

it('drops one of two equal indexes, not both', () => {
  expect(dropped(index('b', ['x']), index('a', ['x']))).toEqual(['b < a']);
});

it('keeps what a constraint needs, and what is unique', () => {
  expect(dropped(index('a', ['x']), index('z', ['x'], { isUnique: true, isNeeded: true }))).toEqual(['a < z']);
  expect(dropped(index('a', ['x']), index('z', ['x'], { isUnique: true }))).toEqual(['a < z']);
  expect(
    dropped(
      index('a', ['x'], { isUnique: true, isNeeded: true }),
      index('z', ['x'], { isUnique: true, isNeeded: true }),
    ),
  ).toEqual([]);
});

it('drops what begins another btree, but no unique index', () => {
  expect(dropped(index('a', ['x']), index('b', ['x', 'y']))).toEqual(['a < b']);
  expect(dropped(index('a', ['y']), index('b', ['x', 'y']))).toEqual([]);
  expect(dropped(index('a', ['x'], { isUnique: true }), index('b', ['x', 'y']))).toEqual([]);
  expect(dropped(index('a', ['x'], { method: 'gist' }), index('b', ['x', 'y'], { method: 'gist' }))).toEqual([]);
});

it('compares the kind, the predicate, the order and the included columns', () => {
  expect(dropped(index('a', ['x']), index('b', ['x'], { method: 'hash' }))).toEqual([]);
  expect(dropped(index('a', ['x']), index('b', ['x'], { predicate: '(y > 1)' }))).toEqual([]);
  expect(dropped(index('a', ['x 1 0 3']), index('b', ['x 1 0 0']))).toEqual([]);
  expect(dropped(index('a', ['x'], { included: ['z'] }), index('b', ['x', 'y']))).toEqual([]);
  expect(dropped(index('a', ['x'], { included: ['z'] }), index('b', ['x', 'y'], { included: ['z'] }))).toEqual([
    'a < b',
  ]);
});

it('does not compare indexes of other tables', () => {
  expect(dropped(index('a', ['x']), index('b', ['x'], { table: 'customers' }))).toEqual([]);
  expect(dropped(index('a', ['x']), index('b', ['x'], { schema: 'old' }))).toEqual([]);
});

it('drops all but one of three', () => {
  expect(dropped(index('a', ['x']), index('b', ['x']), index('c', ['x']))).toEqual(['b < a', 'c < a']);
});

it('says which to drop', () => {
  const { severity, findings } = judgeDuplicates([index('a', ['x']), index('b', ['x'])]);
  expect(severity).toBe('warning');
  expect(findings).toEqual([
    {
      severity: 'warning',
      what: 'public.b on orders (1.0 kB) is a duplicate of a.',
      fix: 'DROP INDEX CONCURRENTLY public.b;',
    },
  ]);
});
