import { celList } from '@bufbuild/cel';
import { expect, test } from 'vitest';
import { joined } from './lists.ts';

test('a list that two lists go on from stays as it is', () => {
  const first = joined(celList([1n]), celList([2n]));
  const left = joined(first, celList([3n]));
  const right = joined(first, celList([4n, 5n]));
  expect([...first]).toEqual([1n, 2n]);
  expect(first.size).toBe(2);
  expect(first.get(2)).toBeUndefined();
  expect([...left]).toEqual([1n, 2n, 3n]);
  expect([...right]).toEqual([1n, 2n, 4n, 5n]);
  expect([...joined(left, left)]).toEqual([1n, 2n, 3n, 1n, 2n, 3n]);
});

test('a list has an end', () => {
  let list = celList([1n, 2n]);
  expect(() => {
    for (let turn = 0; turn < 30; turn++) list = joined(list, list);
  }).toThrow('more than 1000000 items');
});
