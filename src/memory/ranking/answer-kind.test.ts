import { expect, test } from 'vitest';
import { hasAnswer } from './answer-kind.ts';

test.each([
  ['Who deals with taxes?', 'Hannah Weiss keeps the books.', true],
  ['who should I ask?', 'Ask Priya about it.', true],
  ['Who deals with taxes?', 'The tax office is closed.', false],
  ['When does it start?', 'It starts at 02:30.', true],
  ['what day is the meeting?', 'We meet on Thursdays.', true],
  ['When does it start?', 'It starts with the dump.', false],
  ['How often is it renewed?', 'It is renewed weekly.', true],
  ['How long does it take?', 'It takes 40 min.', true],
  ['how much is it?', 'It costs 49 EUR.', true],
  ['how many cats?', 'She has two cats.', true],
  ['how many cats?', 'She likes cats.', false],
  ['Why not Kubernetes?', 'No, because we are six people.', true],
  ['Where is it?', 'In Porto.', undefined],
])('%s: %s', (question, text, has) => {
  expect(hasAnswer(question, text)).toBe(has);
});
