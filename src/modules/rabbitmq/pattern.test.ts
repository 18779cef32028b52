import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { globMatcher } from '../../kernel/glob.ts';
import { nameFilter } from './pattern.ts';

/** What PCRE makes of the pattern, in JavaScript: it has no atomic groups, but a captured lookahead is one. */
function pcre(pattern: string): RegExp {
  let group = 0;
  const body = pattern
    .replace('(?s-i)\\A', '^')
    .replaceAll('\\z', '$')
    .replace(/\(\?>(.*?[^\\]?)\)(?=\(\?>|\.\*)/g, (_, inner: string) => `(?=(${inner}))\\${++group}`)
    .replace(/\\x\{(\w+)\}/g, (_, hex: string) => `\\u{${hex}}`);
  return new RegExp(body, 'su');
}

test('every name that fits a glob passes the filter', () => {
  const glob = fc.stringMatching(/^[ab.*?/$ü]{1,10}$/);
  const filler = fc.stringMatching(/^[ab./$ü]{0,4}$/);
  const { failed, counterexample } = fc.check(
    fc.property(glob, glob, fc.infiniteStream(filler), (fitting, other, fillers) => {
      const name = fitting.replaceAll('*', () => String(fillers.next().value)).replaceAll('?', 'ü');
      return globMatcher([fitting])(name) && pcre(nameFilter([other, fitting]) as string).test(name);
    }),
    { numRuns: 1000 },
  );
  expect(failed, JSON.stringify(counterexample)).toBe(false);
});

test('names that do not fit are filtered', () => {
  const filter = pcre(nameFilter(['orders.*', 'a*b*c'], ['*.new']) as string);
  expect('orders.new').toMatch(filter);
  for (const name of ['Orders.new', 'orders.old', 'xorders.new', 'ordersxnew', 'abc', 'orders.new\n'])
    expect(name).not.toMatch(filter);
});

test('there is no filter without globs, nor with so many that the request would be refused', () => {
  expect(nameFilter(undefined, undefined)).toBeUndefined();
  expect(nameFilter(Array.from({ length: 500 }, (_, n) => `queue-${n}`))).toBeUndefined();
});
