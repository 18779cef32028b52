import { expect, test } from 'vitest';
import { aFewAtATime } from './a-few-at-a-time.ts';

test('never more than allowed, each item once, results in their order', async () => {
  let now = 0;
  let most = 0;
  const made = await aFewAtATime(3, [5, 1, 4, 2, 3, 0], async (item) => {
    most = Math.max(most, ++now);
    for (let turn = 0; turn < item; turn++) await Promise.resolve();
    now--;
    return item * 10;
  });
  expect([made, most]).toEqual([[50, 10, 40, 20, 30, 0], 3]);
  expect(await aFewAtATime(3, [], async () => 1)).toEqual([]);
});
