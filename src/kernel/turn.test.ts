import { expect, test } from 'vitest';
import { sharedByReplicas } from '../../test/support/shared-by-replicas.ts';
import { newLocalShared } from '../../test/support/local-shared.ts';
import { createTurn } from './turn.ts';

test('alone it is our turn at once, until we let go', async () => {
  const turn = createTurn(newLocalShared(), 'work');
  expect(turn.isOurs()).toBe(true);
  await turn[Symbol.asyncDispose]();
  expect(turn.isOurs()).toBe(false);
});

test('the turn of another replica begins after the end of ours was awaited', async () => {
  const [a, b] = sharedByReplicas();
  const told: string[] = [];
  const end = Promise.withResolvers<void>();
  const first = createTurn(a, 'work', async () => {
    told.push(`first ${told.length === 0 ? 'begins' : 'ends'}`);
    if (told.length > 1) await end.promise;
  });
  await using second = createTurn(b, 'work', () => void told.push('second begins'));
  expect([first.isOurs(), second.isOurs()]).toEqual([true, false]);
  const left = first[Symbol.asyncDispose]();
  await expect.poll(() => told).toEqual(['first begins', 'first ends']);
  expect([first.isOurs(), second.isOurs()]).toEqual([false, false]);
  end.resolve();
  await left;
  await expect.poll(() => second.isOurs()).toBe(true);
  expect(told).toEqual(['first begins', 'first ends', 'second begins']);
});
