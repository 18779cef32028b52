import { describe, expect, test } from 'vitest';
import { duringFailures, fittingLines, isTrouble, lastLines, linesFrom, logText } from './kept-lines.ts';
import { type LogLine, lineOf } from './log-lines.ts';

const line = (number: number, raw = `line ${number}`): LogLine => lineOf(raw, number);

async function* log(count: number, seen: number[] = []) {
  for (let number = 1; number <= count; number += 1) {
    seen.push(number);
    yield line(number);
  }
}
const wants = () => true;
const even = ({ number }: LogLine) => number % 2 === 0;
const numbers = (kept: readonly LogLine[]) => kept.map(({ number }) => number);

describe('lastLines', () => {
  test.each([
    [10, 3, [8, 9, 10]],
    [2, 3, [1, 2]],
    [3, 3, [1, 2, 3]],
    [0, 3, []],
  ])('of %i lines the last %i', async (count, lines, expected) => {
    const { kept, matched, total } = await lastLines(log(count), { lines, wants });
    expect([numbers(kept), matched, total]).toEqual([expected, count, count]);
  });

  test('counts those that are wanted', async () => {
    const { kept, matched, total } = await lastLines(log(11), { lines: 2, wants: even });
    expect([numbers(kept), matched, total]).toEqual([[8, 10], 5, 11]);
  });
});

describe('linesFrom', () => {
  test('stops to read when it has enough, and says where it goes on', async () => {
    const seen: number[] = [];
    const { kept, next } = await linesFrom(log(1000, seen), 3, { lines: 2, wants: even });
    expect([numbers(kept), next, seen.length]).toEqual([[4, 6], 8, 8]);
  });

  test('has no next at the end', async () => {
    const { kept, next } = await linesFrom(log(5), 4, { lines: 2, wants });
    expect([numbers(kept), next]).toEqual([[4, 5], undefined]);
  });
});

test('fittingLines leaves room for the rest of the reply', () => {
  const many = Array.from({ length: 500 }, (_, n) => line(n + 1, 'x'.repeat(300)));
  const fit = fittingLines(many, {});
  expect(fit).toBeGreaterThan(5);
  const json = JSON.stringify({ log: logText(many.slice(0, fit)) });
  expect(Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json))).toBeLessThan(8 * 1024);
  expect(fittingLines([], {})).toBe(0);
});

describe('duringFailures', () => {
  const steps = [
    { conclusion: 'success', started_at: '2026-11-16T10:00:00Z', completed_at: '2026-11-16T10:00:05Z' },
    { conclusion: 'failure', started_at: '2026-11-16T10:00:06Z', completed_at: '2026-11-16T10:00:08Z' },
    { conclusion: 'skipped', started_at: null, completed_at: null },
  ];

  test('finds the lines by their time; one without a time goes with the one before', () => {
    const during = duringFailures(steps);
    const raw = [
      'nothing yet',
      '2026-11-16T10:00:05.1Z before',
      '2026-11-16T10:00:06.5Z in it',
      'and this',
      '2026-11-16T10:00:08.9Z the end of it',
      '2026-11-16T10:00:09.1Z after',
      'and that',
    ];
    expect(raw.map((one, n) => during(line(n, one)))).toEqual([false, false, true, true, true, false, false]);
  });

  test('finds none without a failed step', () => {
    expect(duringFailures([])(line(1, '2026-11-16T10:00:05.1Z x'))).toBe(false);
  });
});

test.each([
  ['##[error]Process completed with exit code 1.', true],
  ['TypeError: x is not a function', true],
  ['AssertionError: expected 1', true],
  ['npm ERR! code 1', true],
  ['3 tests failed', true],
  ['##[group]Report errors', false],
  ['all tests passed', false],
  ['Found 0 warnings and 0 errors.', false],
  ['1 failed, 0 errors', true],
])('isTrouble %j', (raw, expected) => {
  expect(isTrouble(line(1, raw))).toBe(expected);
});
