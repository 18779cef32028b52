import { expect, test } from 'vitest';
import { globMatcher } from './glob.ts';

test('* is any run of characters, ? is one, the rest is literal', () => {
  const matches = globMatcher(['redis_*', 'get_?', 'a.b(c)|d', '*[x]$']);
  for (const name of ['redis_', 'redis_get_key', 'get_1', 'a.b(c)|d', 'anything[x]$'])
    expect(matches(name), name).toBe(true);
  for (const name of ['my_redis_get', 'get_12', 'get_', 'axb(c)|d', 'd', 'a.b(c)'])
    expect(matches(name), name).toBe(false);
});

test('a name may hold line breaks', () => {
  expect(globMatcher(['a*z'])('a\nz')).toBe(true);
});

test('no globs match nothing', () => {
  expect(globMatcher([])('')).toBe(false);
});
