import { expect, test } from 'vitest';
import { keptFor, recentAnswers } from './kept.ts';
import { difySettings } from './settings.ts';

test('the oldest answers go first', () => {
  const answers = recentAnswers(2, 100);
  answers.keep('a', 'A');
  answers.keep('b', 'B');
  answers.keep('a', 'AA');
  answers.keep('c', 'C');
  expect(['a', 'b', 'c'].map((id) => answers.find(id))).toEqual(['AA', undefined, 'C']);
  answers.keep('d', 'x'.repeat(99));
  expect(['a', 'c', 'd'].map((id) => answers.find(id)?.length)).toEqual([undefined, 1, 99]);
  answers.keep('e', 'x'.repeat(101));
  expect(answers.find('e')).toBeUndefined();
  answers.keep('f', 'x'.repeat(100));
  expect(answers.find('f')).toHaveLength(100);
});

test('a section keeps its own', () => {
  const [one, two] = [difySettings.parse({}), difySettings.parse({})];
  expect(keptFor(one, 'dify', 'modules.dify')).toBe(keptFor(one, 'dify', 'modules.dify'));
  expect(keptFor(one, 'dify', 'modules.dify')).not.toBe(keptFor(two, 'dify', 'modules.dify'));
});
