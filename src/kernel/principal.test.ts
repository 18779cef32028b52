import { expect, test } from 'vitest';
import { hasScope, localOwner, type Principal, scopeFor } from './principal.ts';

const key = (...scopes: string[]): Principal => ({ id: 'key', scopes: new Set(scopes) });

test('a scope is held by name, by admin, or by the local owner', () => {
  expect(hasScope(key('github:read'), 'github:read')).toBe(true);
  expect(hasScope(key('admin'), 'github:write')).toBe(true);
  expect(hasScope(localOwner, 'admin')).toBe(true);
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
