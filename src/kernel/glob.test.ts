import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { globMatcher } from './glob.ts';

test('* is any run of characters, ? is one, the rest is literal', () => {
  const matches = globMatcher(['redis_*', 'get_?', 'a.b(c)|d', '*[x]$']);
  const fitting = ['redis_', 'redis_get_key', 'get_1', 'a.b(c)|d', 'anything[x]$'];
  expect([...fitting, 'my_redis_get', 'get_12', 'get_', 'axb(c)|d', 'd', 'a.b(c)'].filter(matches)).toEqual(fitting);
});

test('a name may contain line breaks', () => {
  expect(globMatcher(['a*z'])('a\nz')).toBe(true);
});

test('an empty list of globs matches nothing', () => {
  expect(globMatcher([])('')).toBe(false);
});

test('pieces around a star do not overlap', () => {
  expect(globMatcher(['ab*ba'])('aba')).toBe(false);
  expect(globMatcher(['a*b*b'])('ab')).toBe(false);
  expect(globMatcher(['*'])('')).toBe(true);
  expect(globMatcher(['**a**'])('bab')).toBe(true);
});

test('agrees with a regular expression of the same meaning', () => {
  const glob = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
  const name = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
  fc.assert(
    fc.property(glob, name, (pattern, text) => {
      const same = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      expect(globMatcher([pattern])(text)).toBe(same.test(text));
    }),
    { numRuns: 5000 },
  );
});

test('is fast for adversarial text', () => {
  const before = process.cpuUsage();
  const matches = globMatcher(['*a*a*a*a*a*b', 'a?*a?*a?*c', `${'*?a'.repeat(20)}b`]);
  expect(matches('a'.repeat(1_000_000))).toBe(false);
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});
