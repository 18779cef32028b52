import { expect, test } from 'vitest';
import { late } from './late.ts';

test('loads with the first use, once, also for those who ask meanwhile', async () => {
  let loads = 0;
  const load = late(async () => ++loads);
  expect([loads, load.begun()]).toEqual([0, undefined]);
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect([await load(), await load.begun()]).toEqual([1, 1]);
});

test.each([
  ['rejects', () => Promise.reject(new Error('no'))],
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
])('forgets a failure that %s: everybody who waits gets it, and the next use loads again', async (_, fail) => {
  let works = false;
  const load = late<string>(() => (works ? Promise.resolve('loaded') : fail()));
  const both = await Promise.allSettled([load(), load()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(load.begun()).toBeUndefined();
  works = true;
  expect(await load()).toBe('loaded');
});
