import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff } from './line-diff.ts';

const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `line ${from + n}`);

test('shows what changed with a few lines around it', () => {
  const before = lines(0, 20);
  const after = before.with(10, 'changed').toSpliced(1, 0, 'new');
  expect(lineDiff(before.join('\n'), `${after.join('\n')}\n`).split('\n')).toEqual([
    '@@ -1 +1 @@',
    ' line 0',
    '+new',
    ' line 1',
    ' line 2',
    ' line 3',
    '@@ -8 +9 @@',
    ' line 7',
    ' line 8',
    ' line 9',
    '-line 10',
    '+changed',
    ' line 11',
    ' line 12',
    ' line 13',
  ]);
});

test('new, deleted and equal files', () => {
  expect(lineDiff('', 'a\nb\n')).toBe('@@ -1 +1 @@\n+a\n+b');
  expect(lineDiff('a', '')).toBe('@@ -1 +1 @@\n-a');
  expect(lineDiff('a\nb', 'a\nb')).toBe('');
});

test('very long files are compared, too', () => {
  const before = lines(0, 5000).join('\n');
  const after = lines(2500, 8000).toReversed().join('\n');
  expect(lineDiff(before, after)).toContain('-line 0\n');
});

test('what it removes and adds leads from one to the other', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const changed = lineDiff(before.join('\n'), after.join('\n'))
        .split('\n')
        .filter((line) => /^[-+]/.test(line));
      const count = (sign: string, line: string) => changed.filter((one) => one === `${sign}${line}`).length;
      for (const line of 'abcd') {
        const [was, is] = [before, after].map((all) => all.filter((one) => one === line).length);
        expect((is ?? 0) - (was ?? 0)).toBe(count('+', line) - count('-', line));
      }
    }),
  );
});
