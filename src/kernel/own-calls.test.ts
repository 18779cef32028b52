import { expect, test } from 'vitest';
import { isAmong, ownCalls } from './own-calls.ts';
import type { Principal } from './principal.ts';

const key = (more: Partial<Principal> = {}): Principal => ({ id: 'k', scopes: new Set(['tools:execute']), ...more });

test('only a principal limited to tools, and not an admin, is limited to its own calls', () => {
  expect(ownCalls(key())).toBeUndefined();
  expect(ownCalls(key({ readOnly: true }))).toBeUndefined();
  expect(ownCalls(key({ tools: ['a__*'], scopes: new Set(['admin']) }))).toBeUndefined();
  expect(ownCalls(key({ tools: ['a__*'], scopes: new Set(['health:check']) }))).toEqual({
    principal: 'k',
    tools: ['a__*'],
  });
  expect(ownCalls(key({ tools: [] }))).toEqual({ principal: 'k', tools: [] });
});

test('caller and tool decide whether a call is among them', () => {
  const fits = isAmong({ principal: 'k', tools: ['a__*'] });
  expect(fits({ tool: 'a__x', principal: 'k' })).toBe(true);
  expect(fits({ tool: 'b__x', principal: 'k' })).toBe(false);
  expect(fits({ tool: 'a__x', principal: 'other' })).toBe(false);
  expect(isAmong(undefined)({ tool: 'b__x', principal: 'other' })).toBe(true);
});
