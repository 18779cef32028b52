import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('work on the same id runs one after the other, in order', async () => {
  const turns = createTurns();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise(setImmediate);
    seen.push(`${name} ends`);
    return name;
  };
  expect(await Promise.all([turns.take('1', work('a')), turns.take('1', work('b'))])).toEqual(['a', 'b']);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('work on different ids does not wait', async () => {
  const turns = createTurns();
  const seen: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = turns.take('1', () => promise);
  await turns.take('2', async () => void seen.push('done'));
  expect(seen).toEqual(['done']);
  resolve();
  await slow;
});

test('a failure does not stop the work that follows', async () => {
  const turns = createTurns();
  const first = turns.take('1', () => Promise.reject(new Error('no')));
  const second = turns.take('1', async () => 'yes');
  await expect(first).rejects.toThrow('no');
  expect(await second).toBe('yes');
});
