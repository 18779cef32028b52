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
  const piece = fc.stringMatching(/^[ab.*?/$ü]{1,8}$/);
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 3 }),
      fc.stringMatching(/^[ab./$ü]{0,10}$/),
      (globs, name) => {
        const filter = nameFilter(globs) as string;
        if (globMatcher(globs)(name)) expect(name).toMatch(pcre(filter));
      },
    ),
  );
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
