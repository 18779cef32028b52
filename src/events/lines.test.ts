import { describe, expect, test } from 'vitest';
import { createLines, LONGEST_LINE } from './lines.ts';

/** All lines of a text that arrives in chunks of this size, with the offset where each ends. */
function cutUp(text: string, size: number, offset = 0, skipping = false) {
  const bytes = Buffer.from(text);
  const lines = createLines(offset, skipping);
  const found: [string | undefined, number][] = [];
  for (let at = 0; at < bytes.length; at += size) {
    for (const { bytes: line, end } of lines.add(bytes.subarray(at, at + size))) found.push([line?.toString(), end]);
  }
  return { found, lines };
}

describe.each([1, 2, 3, 7, 1000])('in chunks of %i bytes', (size) => {
  test('lines are complete, without line endings and without empty lines', () => {
    const { found, lines } = cutUp('ab\r\n\nzoë\n\r\nrest', size, 100);
    expect(found).toEqual([
      ['ab', 104],
      ['zoë', 110],
    ]);
    expect(lines.last().toString()).toBe('rest');
    expect([lines.done(), lines.read()]).toEqual([112, 116]);
  });
});

test.each([1000, 256 * 1024, 10_000_000])('skips a line that is too long, in chunks of %i bytes', (size) => {
  const { found, lines } = cutUp(`a\n${'x'.repeat(LONGEST_LINE + 1)}\nb\n`, size);
  expect(found).toEqual([
    ['a', 2],
    [undefined, LONGEST_LINE + 4],
    ['b', LONGEST_LINE + 6],
  ]);
  expect(lines.skipping()).toBe(false);
});

test('accepts a line of exactly the maximum length', () => {
  const { found } = cutUp(`${'x'.repeat(LONGEST_LINE)}\n`, 100_000);
  expect(found.map(([line]) => line?.length)).toEqual([LONGEST_LINE]);
});

test('buffers nothing of a line that is too long, and can continue skipping it later', () => {
  const { found, lines } = cutUp('x'.repeat(3 * LONGEST_LINE), 256 * 1024);
  expect(found).toEqual([]);
  expect([lines.skipping(), lines.last().length, lines.done()]).toEqual([true, 0, 3 * LONGEST_LINE]);
  expect(cutUp('rest\nnext\n', 3, lines.done(), true).found).toEqual([
    [undefined, 3 * LONGEST_LINE + 5],
    ['next', 3 * LONGEST_LINE + 10],
  ]);
});
