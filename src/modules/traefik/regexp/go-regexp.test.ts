import * as fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { goRegexp } from './go-regexp.ts';
import { BadPattern, CannotJudge } from './syntax.ts';

const matches = (pattern: string, text: string) => goRegexp(pattern)(text, { left: 1_000_000 });

test.each([
  ['abc', 'xabcx', true],
  ['^abc$', 'xabc', false],
  ['^/products/(shoes|socks)/[0-9]+$', '/products/socks/31', true],
  ['^/products/(shoes|socks)/[0-9]+$', '/products/hats/31', false],
  [String.raw`\.(jpeg|jpg|png)$`, '/a/b.jpg', true],
  ['(?i)^/Products', '/pRODUCTS/x', true],
  ['^a(?i)b$', 'aB', true],
  ['^a(?i)b$', 'AB', false],
  ['^(?i:a)b$', 'Ab', true],
  ['^(?i:a)b$', 'AB', false],
  ['^(?P<name>[a-z]+)-(?<other>\\d{2,3})$', 'shop-123', true],
  ['^\\d{2,3}$', '1', false],
  ['^\\d{2,3}$', '1234', false],
  ['^x{,2}$', 'x{,2}', true],
  ['^a{2}$', 'aa', true],
  ['^a{2,}$', 'aaaa', true],
  ['^(a*)*$', 'aaaa', true],
  ['^(|a)+$', 'aa', true],
  ['', '', true],
  ['^.$', '\n', false],
  ['(?s)^.$', '\n', true],
  ['(?m)^b$', 'a\nb', true],
  ['^b$', 'a\nb', false],
  ['\\bfoo\\b', 'a foo b', true],
  ['\\bfoo\\b', 'afoo', false],
  ['\\Boo', 'foo', true],
  ['^[[:alpha:]_-]+$', 'a-_b', true],
  ['^[^/]+$', 'a/b', false],
  ['^[]a]+$', ']a', true],
  ['^[\\w.-]+@[^\\s]+$', 'ann.b-c@x', true],
  ['^\\Qa.b\\E$', 'a.b', true],
  ['^\\Qa.b\\E$', 'axb', false],
  ['^\\x41\\x{1F600}\\101$', 'A😀A', true],
  ['^.$', '😀', true],
  ['^\\pL+\\p{Greek}$', 'éα', true],
  ['^\\PL$', '1', true],
  ['^a+?b??$', 'aa', true],
  ['\\/', '/', true],
  ['(?U)a+', 'aa', true],
])('%s on %j: %s', (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});

test.each([
  '(',
  ')',
  '[a',
  '*a',
  'a**',
  'a{2}{3}',
  '(?=a)',
  '(?!a)',
  '(?<=a)',
  '\\1',
  '\\Z',
  'a{1001}',
  '[z-a]',
  '\\',
  '[[:no:]]',
  '(?x)a',
])('%s is refused, as Go refuses it', (pattern) => {
  expect(() => goRegexp(pattern)).toThrow(BadPattern);
});

test.each(['\\C', '(((a{100}){100}){100})', '('.repeat(300) + ')'.repeat(300), 'a'.repeat(5000), '\\p{Nonesuch}'])(
  'pattern %# is not judged',
  (pattern) => {
    expect(() => goRegexp(pattern)).toThrow(CannotJudge);
  },
);

it('takes time in proportion to the text where others backtrack', () => {
  const effort = { left: 1_000_000 };
  expect(goRegexp('^(a+)+$')(`${'a'.repeat(5000)}b`, effort)).toBe(false);
  expect(goRegexp('(x+x+)+y')('x'.repeat(5000), effort)).toBe(false);
  expect(effort.left).toBeGreaterThan(800_000);
});

it('stops when all work is used up', () => {
  expect(() => goRegexp('(a|b|c)*d')('abc'.repeat(1000), { left: 100 })).toThrow('take too long');
});

it('agrees with JavaScript where both have the same syntax', () => {
  const piece = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a|b)', '(?:ab)', '\\d', '\\w', '1', '^', '$', '\\b');
  const repeat = fc.constantFrom('', '*', '+', '?', '{1,2}', '{2}', '*?');
  const part = fc.tuple(piece, repeat).map(([one, times]) => (/^(?:\^|\$|\\b)$/.test(one) ? one : one + times));
  const pattern = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(pattern, text, (given, subject) => {
      expect(matches(given, subject)).toBe(new RegExp(given).test(subject));
    }),
    { numRuns: 500 },
  );
});

it('survives any pattern', () => {
  const signs = fc.string({ unit: fc.constantFrom(...Array.from('ab()[]{}|*+?^$\\.-:<>=!P1,pQE&')), maxLength: 30 });
  fc.assert(
    fc.property(signs, fc.string({ maxLength: 20 }), (pattern, text) => {
      try {
        expect(typeof matches(pattern, text)).toBe('boolean');
      } catch (error) {
        expect(error instanceof BadPattern || error instanceof CannotJudge, String(error)).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});
