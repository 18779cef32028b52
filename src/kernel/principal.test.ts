import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import {
  hasScope,
  holdsScope,
  identityOf,
  isOfSource,
  isSame,
  isScope,
  localOwner,
  type Principal,
  scopeFor,
} from './principal.ts';

const key = (...scopes: string[]): Principal => ({ id: 'key', scopes: new Set(scopes) });

test('a scope is held by name, by admin, or by the local owner', () => {
  expect(hasScope(key('github:read'), 'github:read')).toBe(true);
  expect(hasScope(key('admin'), 'github:write')).toBe(true);
  expect(hasScope(localOwner, 'admin')).toBe(true);
});

test('tools:execute allows calls, but does not count as another scope', () => {
  expect(hasScope(key('tools:execute'), 'health:check')).toBe(true);
  expect(hasScope(key('tools:execute'), 'admin')).toBe(false);
  expect(holdsScope(key('tools:execute'), 'health:check')).toBe(false);
  expect(holdsScope(key('admin'), 'health:check')).toBe(true);
  expect(holdsScope(localOwner, 'health:check')).toBe(true);
});

test('no scope implies another', () => {
  expect(hasScope(key('github:write', 'github:execute'), 'github:read')).toBe(false);
  expect(hasScope(key('github:read'), 'admin')).toBe(false);
  expect(hasScope(key(), 'github:read')).toBe(false);
});

test.each([
  ['read', 'redis:read'],
  ['create', 'redis:write'],
  ['update', 'redis:write'],
  ['delete', 'redis:write'],
  ['execute', 'redis:execute'],
] as const)('%s needs %s', (effect, scope) => {
  expect(scopeFor('redis', effect)).toBe(scope);
});

test('principals are the same only with the same attributes: a session must not mix them', () => {
  const ada = (attributes: Record<string, string>): Principal => ({ ...key('tools:read'), attributes });
  expect(isSame(ada({ sub: 'ada', email: 'ada@old.example' }), ada({ email: 'ada@old.example', sub: 'ada' }))).toBe(
    true,
  );
  expect(isSame(ada({ sub: 'ada', email: 'ada@old.example' }), ada({ sub: 'ada', email: 'ada@new.example' }))).toBe(
    false,
  );
  expect(isSame(ada({ sub: 'ada' }), ada({ sub: 'ada', client_id: 'other' }))).toBe(false);
  expect(isSame(key('tools:read'), key('tools:read'))).toBe(true);
  expect(isSame(key('tools:read'), key('tools:execute'))).toBe(false);
});

test('no choice of attributes can make two principals have the same identity', () => {
  const someone = fc.record(
    { id: fc.string(), name: fc.string(), attributes: fc.dictionary(fc.string(), fc.string()) },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(someone, someone, (one, other) => {
      const [first, second] = [one, other].map((facts) => identityOf({ ...facts, scopes: 'all' }));
      expect(first === second).toBe(isDeepStrictEqual(one, other));
    }),
  );
  const reordered = { id: 'a', scopes: 'all', attributes: { y: '1', x: '2' } } as const;
  expect(identityOf(reordered)).toBe(identityOf({ ...reordered, attributes: { x: '2', y: '1' } }));
  expect(identityOf({ id: 'a","b', scopes: 'all' })).not.toBe(identityOf({ id: 'a', name: 'b', scopes: 'all' }));
});

test.each([
  ['admin', true, false],
  ['health:check', true, false],
  ['tools:execute', true, false],
  ['github:read', true, true],
  ['_odd-name:execute', true, true],
  ['github:delete', false, false],
  ['a b:read', false, false],
  ['', false, false],
])('%j is a scope: %s, of one source: %s', (scope, known, ofSource) => {
  expect([isScope(scope), isOfSource(scope)]).toEqual([known, ofSource]);
});
