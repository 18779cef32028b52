import { expect, test } from 'vitest';
import { turns } from './queue.ts';
import type { Demand } from './sought-rows.ts';

const demand = (deployer: string, atWork: number, queued: number): Demand => ({ deployer, atWork, queued });
const given = (places: number, ...demands: Demand[]) => Object.fromEntries(turns(demands, places));

test('one deployer gets all places but a tenth', () => {
  expect(given(50, demand('a', 0, 5000))).toEqual({ a: 45 });
  expect(given(50, demand('a', 45, 5000))).toEqual({});
  expect(given(50, demand('a', 0, 3))).toEqual({ a: 3 });
});

test('whoever has nothing at work gets a place, although another one has thousands of runs', () => {
  expect(given(50, demand('a', 45, 5000), demand('b', 0, 1))).toEqual({ b: 1 });
  expect(given(50, demand('a', 45, 5000), demand('b', 0, 9))).toEqual({ b: 1 });
  expect(given(2, demand('a', 1, 5000), demand('b', 0, 1))).toEqual({ b: 1 });
  expect(given(1, demand('a', 1, 5000), demand('b', 0, 1))).toEqual({});
});

test('a place that becomes free goes to whoever has fewest at work', () => {
  expect(given(50, demand('a', 43, 5000), demand('b', 1, 9))).toEqual({ b: 1 });
  expect(given(20, demand('a', 4, 100), demand('b', 0, 100), demand('c', 2, 1))).toEqual({ a: 4, b: 7, c: 1 });
});

test('more at work than there are places, after a replica went away, begins nothing', () => {
  expect(given(10, demand('a', 30, 5), demand('b', 0, 5))).toEqual({});
});
