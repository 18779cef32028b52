import { expect, test } from 'vitest';
import { cut, firstLine, table } from './table.ts';

test('columns line up; the last one is as long as it is', () => {
  expect(
    table([
      ['NAME', 'STATE', 'WHY'],
      ['a-long-one', 'UP', ''],
      ['b', 'FAILED', 'because'],
    ]),
  ).toEqual(['NAME        STATE   WHY', 'a-long-one  UP', 'b           FAILED  because']);
});

test('nothing is cut where nobody looks, and everything fits where somebody does', () => {
  expect(table([['a', 'x'.repeat(300)]])[0]).toHaveLength(303);
  expect(table([['a', 'x'.repeat(300)]], 20)[0]).toBe(`a  ${'x'.repeat(16)}…`);
  expect(cut('just fits', 9)).toBe('just fits');
});

test('no rows are no lines', () => expect(table([])).toEqual([]));

test('a line of somebody else’s text cannot move the cursor or change colours', () => {
  expect(firstLine('\n  two   words\tand \x1b[31mred\x07\rgone\nsecond')).toBe('two words and red ');
});

test('letters and emoji that take two columns of a terminal are counted as two', () => {
  expect(
    table([
      ['Report', 'a'],
      ['报告', 'b'],
      ['🚀🚀', 'c'],
      ['Größe', 'd'],
    ]),
  ).toEqual(['Report  a', '报告    b', '🚀🚀    c', 'Größe   d']);
});
