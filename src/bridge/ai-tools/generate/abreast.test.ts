import { expect, test } from 'vitest';
import { abreast } from './abreast.ts';

test('runs a few at a time, and returns results in order', async () => {
  let now = 0;
  let most = 0;
  const results = await abreast([3, 1, 2, 0], 2, async (item) => {
    most = Math.max(most, ++now);
    for (let turn = 0; turn < item; turn++) await Promise.resolve();
    now--;
    return item * 10;
  });
  expect(results).toEqual([30, 10, 20, 0]);
  expect(most).toBe(2);
});

test('after a failure it starts no more, and waits for those that run', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = abreast([0, 1, 2, 3], 2, async (item) => {
    begun.push(item);
    if (item === 0) throw new Error('no');
    await new Promise((done) => setImmediate(done));
    ended.push(item);
  });
  await expect(work).rejects.toThrow('no');
  expect(begun).toEqual([0, 1]);
  expect(ended).toEqual([1]);
});
