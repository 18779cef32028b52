import { expect, test } from 'vitest';
import type { Principal } from '../../kernel/principal.ts';
import { mayUse } from './access.ts';

const holder = (...scopes: string[]): Principal => ({ id: 'k', scopes: new Set(scopes) });

test.each([
  ['tools:read', 'tools:read', true],
  ['tools:read', 'tools:execute', false],
  ['tools:execute', 'tools:read', true],
  ['tools:execute', 'tools:execute', true],
  ['health:check', 'tools:read', false],
  ['health:check', 'tools:execute', false],
  ['health:check', 'health:check', true],
  ['tools:read', 'health:check', false],
  ['tools:execute', 'health:check', false],
  ['admin', 'health:check', true],
  ['redis:read', 'tools:read', true],
  ['redis:read', 'tools:execute', true],
  ['redis:read', 'health:check', false],
  ['admin', 'tools:execute', true],
  ['blueprint:read', 'blueprint:read', true],
  ['blueprint:read', 'blueprint:execute', false],
  ['tools:execute', 'blueprint:execute', true],
  ['tools:read', 'blueprint:read', false],
  ['redis:read', 'blueprint:read', false],
  ['tools:execute', 'blueprint:approve', false],
  ['blueprint:approve', 'blueprint:approve', true],
  ['', 'public', true],
  ['', 'tools:read', false],
])('a key with %j may use an endpoint that requires %s: %s', (scope, needed, may) => {
  expect(mayUse(holder(scope), needed)).toBe(may);
});

test('the local owner may use everything', () => {
  expect(mayUse({ id: 'local', scopes: 'all' }, 'admin')).toBe(true);
});
