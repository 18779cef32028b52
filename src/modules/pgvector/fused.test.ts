import { expect, test } from 'vitest';
import { fused } from './fused.ts';

const keyOf = (item: string) => item;

test('what both rankings have comes first', () => {
  expect(fused(['a', 'b', 'c'], ['c', 'd'], keyOf)).toEqual([
    { item: 'c', by: 'both' },
    { item: 'a', by: 'meaning' },
    { item: 'b', by: 'meaning' },
    { item: 'd', by: 'words' },
  ]);
});

test('one ranking keeps its order', () => {
  expect(fused(['a', 'b'], [], keyOf).map(({ item }) => item)).toEqual(['a', 'b']);
});
