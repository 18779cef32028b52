import { expect, test } from 'vitest';
import { keptAnswers } from './kept-answers.ts';

test('finds an answer for whoever asked, and for nobody else', () => {
  const answers = keptAnswers();
  answers.keep('ann', 'gen-1', 'the text');
  expect(answers.find('ann', 'gen-1')).toBe('the text');
  expect(answers.find('bob', 'gen-1')).toBeUndefined();
  expect(answers.find('ann', 'gen-2')).toBeUndefined();
  expect(answers.find('an', 'n","gen-1')).toBeUndefined();
});

test('drops the oldest beyond its limits', () => {
  const few = keptAnswers({ most: 2 });
  for (const id of ['a', 'b', 'c']) few.keep('ann', id, id);
  expect(['a', 'b', 'c'].map((id) => few.find('ann', id))).toEqual([undefined, 'b', 'c']);

  const small = keptAnswers({ characters: 10 });
  small.keep('ann', 'a', 'x'.repeat(6));
  small.keep('ann', 'a', 'x'.repeat(5));
  small.keep('ann', 'b', 'y'.repeat(5));
  expect(small.find('ann', 'a')).toBeDefined();
  small.keep('ann', 'c', 'z'.repeat(50));
  expect(['a', 'b'].map((id) => small.find('ann', id))).toEqual([undefined, undefined]);
  expect(small.find('ann', 'c')).toHaveLength(50);
  small.keep('ann', 'd', 'z');
  expect(small.find('ann', 'c')).toBeUndefined();
  expect(small.find('ann', 'd')).toBe('z');
});
