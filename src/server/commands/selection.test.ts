import { expect, test } from 'vitest';
import { readSelection } from './selection.ts';

const names = ['github', 'memory', 'linear', 'pg'];

test.each([
  ['', [0, 1, 2, 3]],
  [' All ', [0, 1, 2, 3]],
  ['none', []],
  ['1,3', [0, 2]],
  ['2-4', [1, 2, 3]],
  ['1, 3-4 memory', [0, 1, 2, 3]],
  ['GitHub', [0]],
])('%j', (line, picked) => expect(readSelection(line, names)).toEqual(new Set(picked)));

test.each([
  ['5', /not within 1 to 4/],
  ['0', /not within/],
  ['3-2', /not within/],
  ['2-9', /not within/],
  ['slack', /slack is none of them/],
])('%j is refused', (line, problem) => {
  expect(readSelection(line, names)).toEqual({ problem: expect.stringMatching(problem) as string });
});
