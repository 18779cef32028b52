import { expect, test } from 'vitest';
import { createCatchUp } from './catch-up.ts';

test('many reasons during one run cause one more run', async () => {
  let runs = 0;
  const gate = Promise.withResolvers<void>();
  await using catchUp = createCatchUp('read', async () => {
    runs++;
    await gate.promise;
  });
  for (let n = 0; n < 10; n++) catchUp.due();
  expect(runs).toBe(1);
  gate.resolve();
  await expect.poll(() => runs).toBe(2);
});

test('work that fails is tried again without a new reason', async () => {
  let runs = 0;
  await using catchUp = createCatchUp('read', async () => {
    if (++runs < 3) throw new Error('the store is away');
  });
  catchUp.due();
  await expect.poll(() => runs).toBe(3);
});

test('nothing runs after the end, which waits for the run in progress', async () => {
  let ended = 0;
  const gate = Promise.withResolvers<void>();
  const catchUp = createCatchUp('read', async () => {
    await gate.promise;
    ended++;
  });
  catchUp.due();
  catchUp.due();
  const closed = catchUp[Symbol.asyncDispose]();
  gate.resolve();
  await closed;
  expect(ended).toBe(1);
  catchUp.due();
  expect(ended).toBe(1);
});
