import { expect, it, test } from 'vitest';
import { hasCondition, needCondition } from './filter.ts';

const condition = { key: 'a', match: { value: 1 } };

test.each<[unknown, boolean]>([
  [{}, false],
  [{ must: [] }, false],
  [{ must: [{}] }, false],
  [{ must: [{ must: [] }] }, false],
  [{ must: null }, false],
  [{ other: [condition] }, false],
  [{ must: [condition] }, true],
  [{ must: condition }, true],
  [{ should: [{ must_not: [condition] }] }, true],
  [{ min_should: { conditions: [condition], min_count: 1 } }, true],
  [{ min_should: { conditions: [], min_count: 1 } }, false],
])('%j: %s', (filter, expected) => {
  expect(hasCondition(filter)).toBe(expected);
});

it('refuses what would match everything, and what never ends', () => {
  expect(() => needCondition({ must: [] })).toThrow('would match every point');
  let deep: unknown = condition;
  for (let n = 0; n < 100; n++) deep = { must: [deep] };
  expect(() => hasCondition(deep)).toThrow('nested too deeply');
});
