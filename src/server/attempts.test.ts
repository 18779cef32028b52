import { expect, it } from 'vitest';
import { createAttempts } from './attempts.ts';

it('answers the first failures at once, then slower and slower', async () => {
  const waits: number[] = [];
  const attempts = createAttempts(
    () => 0,
    async (ms) => waits.push(ms),
  );
  for (let n = 0; n < 18; n++) expect(await attempts.failed('192.0.2.1')).toBeUndefined();
  expect(waits).toEqual([100, 200, 400, 800, 1600, 2000, 2000, 2000]);
});

it('forgives over time, and keeps addresses apart', async () => {
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

it('delays a limited number at a time and rejects the others', async () => {
  const attempts = createAttempts(
    () => 0,
    () => new Promise(() => {}),
  );
  const answers = Array.from({ length: 31 }, () => attempts.failed('192.0.2.1'));
  expect(await answers.at(-1)).toEqual({ retryAfter: 126 });
});

it('checks no passwords from an address that failed a hundred times, until some are forgiven', async () => {
  let time = 0;
  const attempts = createAttempts(
    () => time,
    () => new Promise(() => {}),
  );
  for (let n = 0; n < 100; n++) {
    expect(attempts.exhausted('192.0.2.1')).toBeUndefined();
    void attempts.failed('192.0.2.1');
  }
  expect(attempts.exhausted('192.0.2.1')).toEqual({ retryAfter: 6 });
  expect(attempts.exhausted('192.0.2.2')).toBeUndefined();
  time = 6001;
  expect(attempts.exhausted('192.0.2.1')).toBeUndefined();
});

it('treats all addresses of one IPv6 network as one', async () => {
  const waits: number[] = [];
  const attempts = createAttempts(
    () => 0,
    async (ms) => waits.push(ms),
  );
  for (let n = 1; n <= 6; n++) await attempts.failed(`2001:db8:1:2::${n}`);
  for (let n = 1; n <= 5; n++) await attempts.failed(`2001:db8:1:2:a:b:c:${n}`);
  expect(waits).toEqual([100]);
  for (const other of ['2001:db8:1:3::1', '2001:db8:1::2', '::1', 'fe80::1%eth0']) await attempts.failed(other);
  expect(waits).toEqual([100]);
});
