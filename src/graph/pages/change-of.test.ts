import { expect, test } from 'vitest';
import { changeOf } from './change-of.ts';

test('says what changes, and what goes', () => {
  expect(changeOf({ a: 1, b: { c: 2 }, d: 3 }, { a: 1, b: { c: 4 }, e: 5 })).toEqual({ b: { c: 4 }, e: 5, d: null });
  expect(changeOf(JSON.parse('{"__proto__":1}'), {})).toEqual(JSON.parse('{"__proto__":null}'));
});
