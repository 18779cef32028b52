import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactly } from './by-ids.ts';

test('every id is named once, and no other', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400 })), fc.integer({ min: 0, max: 300 }), (some, run) => {
      const ids = [...some, ...Array.from({ length: run }, (_, n) => n + 50)];
      const named: number[] = [];
      for (const { filter, count } of exactly(ids)) {
        const values = filter.filters.map(({ value }) => Number(value));
        const [from = 0, to = 0] = values;
        const here = filter.type === 'or' ? values : Array.from({ length: to - from + 1 }, (_, n) => from + n);
        expect(here).toHaveLength(count);
        expect(filter.filters.length).toBeLessThanOrEqual(100);
        named.push(...here);
      }
      expect(named.sort((a, b) => a - b)).toEqual([...new Set(ids)].sort((a, b) => a - b));
    }),
  );
});

test('a whole table without gaps takes one request', () => {
  expect([...exactly(Array.from({ length: 1_000_000 }, (_, n) => n + 1))]).toHaveLength(1);
});
