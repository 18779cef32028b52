import { expect, test } from 'vitest';
import { picked } from './picked.ts';

const answer = { data: [{ id: '1', 'a/b': { 'c.d': 2 } }], nextCursor: null };

test.each([
  ['data.0.id', '1'],
  ['/data/0/id', '1'],
  ['/data/0/a~1b/c.d', 2],
  ['nextCursor', null],
])('%s leads to %j', (place, value) => {
  expect(picked(answer, place)).toEqual(value);
});

test.each([
  ['dta', 'The answer has no dta. It has data or nextCursor.'],
  ['data.7', 'data has no 7. It is a list of 1.'],
  ['constructor', 'The answer has no constructor.'],
  ['data.0.id.x', 'data.0.id has no x. It is a single value.'],
])('%s is not there', (place, words) => {
  expect(() => picked(answer, place)).toThrow(words);
});

test('the error stays short, whatever the keys are', () => {
  const long = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}${'k'.repeat(10_000)}`, at]));
  expect(() => picked(long, 'x')).toThrow(/^.{1,2000}$/s);
});
