import { expect, test } from 'vitest';
import { isInexact, maskedKeys, merged, textsIn } from './values.ts';

test('every text of a value is found', () => {
  expect(textsIn({ a: 'one', b: [{ c: 'two' }, 'three'], d: 1234567, e: null, f: true })).toEqual([
    'one',
    'two',
    'three',
    '1234567',
  ]);
});

test('keys are shown with types, and nothing of the values', () => {
  const keys = maskedKeys({ a: 'x', b: { c: 1, d: {} }, e: [1, 2], f: null, 'with.dot': false });
  expect(keys).toEqual([
    { key: 'a', type: 'string' },
    { key: 'b.c', type: 'number' },
    { key: 'b.d', type: 'object' },
    { key: 'e', type: 'array' },
    { key: 'f', type: 'null' },
    { key: 'with.dot', type: 'boolean' },
  ]);
});

test('merging follows RFC 7396', () => {
  expect(merged({ a: 1, b: { c: 2, d: 3 }, e: 4 }, { b: { c: null, f: 5 }, e: null, g: { h: null, i: 6 } })).toEqual({
    a: 1,
    b: { d: 3, f: 5 },
    g: { i: 6 },
  });
  expect(merged({}, JSON.parse('{"__proto__":{"x":1}}') as Record<string, unknown>)).not.toHaveProperty('x');
});

test.each([
  [{ a: [1, { b: 2 ** 53 }] }, true],
  [{ a: 2 ** 53 - 1, b: 0.1, c: '99999999999999999999' }, false],
])('%o is inexact: %s', (value, inexact) => {
  expect(isInexact(value)).toBe(inexact);
});

test('ordinary words under keys that hold no secret may still be said', () => {
  const secret = { username: 'postgres', HOST: 'db.internal', password: 'hunter-22', user: { token: 'nested-token' } };
  expect(textsIn(secret)).toEqual(['hunter-22', 'nested-token']);
});
