import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('one at a time, and what is urgent before what is patient', async () => {
  const turn = createTurns();
  const order: string[] = [];
  let busy = 0;
  const work = (name: string, then?: () => void) => async () => {
    expect(++busy).toBe(1);
    await Promise.resolve();
    order.push(name);
    then?.();
    busy -= 1;
    return name;
  };
  const late: Promise<string>[] = [];
  const all = [
    turn(
      'patient',
      work('import 1', () => late.push(turn('urgent', work('question 2')))),
    ),
    turn('patient', work('import 2')),
    turn('urgent', work('question 1')),
  ];
  expect(await Promise.all(all)).toEqual(['import 1', 'import 2', 'question 1']);
  await Promise.all(late);
  expect(order).toEqual(['question 1', 'import 1', 'question 2', 'import 2']);
});

test('an error fails its own caller only, and the next turn comes', async () => {
  const turn = createTurns();
  const failed = turn('urgent', () => Promise.reject(new Error('broken')));
  const next = turn('urgent', async () => 1);
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe(1);
  expect(await turn('patient', async () => 2)).toBe(2);
});
