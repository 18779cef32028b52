import { expect, it } from 'vitest';
import { createAttempts } from './attempts.ts';

it('answers the first wrong ones at once, then slower and slower', async () => {
  const waits: number[] = [];
  const attempts = createAttempts(
    () => 0,
    async (ms) => waits.push(ms),
  );
  for (let n = 0; n < 18; n++) expect(await attempts.failed('192.0.2.1')).toBeUndefined();
  expect(waits).toEqual([100, 200, 400, 800, 1600, 2000, 2000, 2000]);
});

it('forgives with time, and does not mix addresses', async () => {
  let time = 0;
  const waits: number[] = [];
  const attempts = createAttempts(
    () => time,
    async (ms) => waits.push(ms),
  );
  for (let n = 0; n < 10; n++) await attempts.failed('192.0.2.1');
  await attempts.failed('192.0.2.2');
  time = 60_000;
  await attempts.failed('192.0.2.1');
  expect(waits).toEqual([]);
});

it('holds up only so many at a time, and sends the others away', async () => {
  const attempts = createAttempts(
    () => 0,
    () => new Promise(() => {}),
  );
  const answers = Array.from({ length: 31 }, () => attempts.failed('192.0.2.1'));
  expect(await answers.at(-1)).toEqual({ retryAfter: 126 });
});
