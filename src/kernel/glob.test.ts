import { expect, test } from 'vitest';
import { globMatcher } from './glob.ts';

test('* is any run of characters, ? is one, the rest is literal', () => {
  const matches = globMatcher(['redis_*', 'get_?', 'a.b(c)|d', '*[x]$']);
  const fitting = ['redis_', 'redis_get_key', 'get_1', 'a.b(c)|d', 'anything[x]$'];
  expect([...fitting, 'my_redis_get', 'get_12', 'get_', 'axb(c)|d', 'd', 'a.b(c)'].filter(matches)).toEqual(fitting);
});

test('a name may hold line breaks', () => {
  expect(globMatcher(['a*z'])('a\nz')).toBe(true);
});

test('no globs match nothing', () => {
  expect(globMatcher([])('')).toBe(false);
});
