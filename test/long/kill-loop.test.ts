import { expect, test } from 'vitest';
import { killInMidCall } from '../integration/lifecycle/kill-in-mid-call.ts';

test('a backend is killed in mid-call 200 times in a row, and leaves nothing behind', async () => {
  expect(await killInMidCall(200)).toEqual([]);
});
