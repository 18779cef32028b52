import { expect, it } from 'vitest';
import { isSort, percent, sorted, type Usage } from './rows.ts';

const busy = { name: 'a__busy', calls: 100, failed: 1, p50Ms: 1, p95Ms: 2 };
const slow = { name: 'b__slow', calls: 2, failed: 0, p50Ms: 900, p95Ms: 1000 };
const broken = { name: 'c__broken', calls: 4, failed: 3 };
const usage: Usage = {
  since: '',
  until: '',
  calls: 106,
  failed: 4,
  distinct: 3,
  mostUsed: [busy, broken, slow],
  slowest: [slow, busy],
  mostFailing: [broken, busy],
};
const names = (...args: Parameters<typeof sorted> extends [unknown, ...infer Rest] ? Rest : never) =>
  sorted(usage, ...args).map(({ name }) => name[0]);

it('sorts all rows by what somebody wants to know', () => {
  expect(names('calls', '')).toEqual(['a', 'c', 'b']);
  expect(names('p95', '')).toEqual(['b', 'a', 'c']);
  expect(names('failed', '')).toEqual(['c', 'a', 'b']);
  expect(names('share', '')).toEqual(['c', 'a', 'b']);
  expect(names('name', '', true)).toEqual(['c', 'b', 'a']);
  expect(names('calls', ' SLOW ')).toEqual(['b']);
});

it('finds and sorts keys by what they are called', () => {
  const called = new Map([
    ['a__busy', 'Zoe'],
    ['c__broken', 'Ada'],
  ]);
  expect(names('name', '', false, called)).toEqual(['c', 'b', 'a']);
  expect(names('calls', 'zoe', false, called)).toEqual(['a']);
  expect(names('calls', 'busy', false, called)).toEqual(['a']);
});

it('never shows a failure as none', () => {
  expect([0, 0.001, 0.5, 1].map(percent)).toEqual(['–', '< 1 %', '50 %', '100 %']);
});

it('knows its orders only', () => {
  expect(['calls', 'name', 'constructor', undefined].map(isSort)).toEqual([true, true, false, false]);
});
