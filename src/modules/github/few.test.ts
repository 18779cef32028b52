import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { few } from './few.ts';

test('shows names as long as there is room', () => {
  expect(few([], 10)).toEqual([]);
  expect(few(['a', 'b'], 100)).toEqual(['a', 'b']);
  expect(few(['one', 'two', 'three'], 12)).toEqual(['one', 'two', 'and 1 more']);
  expect(few(['x'.repeat(100)], 5)).toEqual([`${'x'.repeat(80)}… (100 characters)`]);
  expect(few(['one', 'two'], 1)).toEqual(['one', 'and 1 more']);
});

test('stays within its room', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 20 })), (names) => {
      const shown = few(names, 200);
      expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(240);
    }),
  );
});
