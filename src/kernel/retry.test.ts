import { expect, test } from 'vitest';
import { backoff, retryAfterMs } from './retry.ts';

test.each([
  ['120', 120_000],
  ['Sun, 15 Nov 2026 00:01:00 GMT', 60_000],
  ['Sun, 15 Nov 2026 00:00:00 GMT', 0],
  ['Sat, 14 Nov 2026 00:00:00 GMT', 0],
  ['99999999', 3_600_000],
  ['soon', undefined],
])('Retry-After %s', (given, ms) => {
  expect(retryAfterMs(given, Date.parse('2026-11-15T00:00:00Z'))).toBe(ms);
});

test('waits double up to the maximum, with jitter', () => {
  const retry = { first: 1_000, most: 60_000 };
  const longest = [1, 2, 3, 7, 8, 1_000].map((failures) => backoff(failures, retry, () => 1));
  expect(longest).toEqual([1_000, 2_000, 4_000, 60_000, 60_000, 60_000]);
  expect(backoff(3, retry, () => 0)).toBe(2_000);
});
