import { expect, test } from 'vitest';
import { backoff, verdictOn } from './verdict.ts';

const kinds = (statuses: number[]) => new Set(statuses.map((status) => verdictOn({ status }).kind));

test('a 2xx status means accepted', () => {
  expect(kinds([200, 201, 202, 204, 299])).toEqual(new Set(['accepted']));
});

test('a status about the events means refused', () => {
  expect(kinds([400, 402, 406, 409, 411, 413, 414, 415, 422, 431, 451])).toEqual(new Set(['refused']));
});

test('a status about the receiver, a redirect and a network failure mean unavailable', () => {
  expect(kinds([301, 307, 401, 403, 404, 405, 407, 408, 410, 421, 425, 429, 500, 502, 503, 504, 100])).toEqual(
    new Set(['unavailable']),
  );
  expect(verdictOn({ failure: 'connection refused' })).toEqual({
    kind: 'unavailable',
    reason: 'connection refused',
  });
  expect(verdictOn({ status: 404 })).toMatchObject({ reason: expect.stringContaining('is active') as string });
});

test.each([
  ['120', 120_000],
  ['Sun, 15 Nov 2026 00:01:00 GMT', 60_000],
  ['Sun, 15 Nov 2026 00:00:00 GMT', 0],
  ['Sat, 14 Nov 2026 00:00:00 GMT', 0],
  ['99999999', 3_600_000],
  ['soon', undefined],
])('Retry-After %s', (retryAfter, waitMs) => {
  const now = Date.parse('2026-11-15T00:00:00Z');
  const verdict = verdictOn({ status: 503, retryAfter }, now);
  expect(verdict.kind === 'unavailable' && verdict.waitMs).toBe(waitMs);
});

test('waits double up to the maximum, with jitter', () => {
  const retry = { first: 1_000, most: 60_000 };
  const longest = [1, 2, 3, 7, 8, 1_000].map((failures) => backoff(failures, retry, () => 1));
  expect(longest).toEqual([1_000, 2_000, 4_000, 60_000, 60_000, 60_000]);
  expect(backoff(3, retry, () => 0)).toBe(2_000);
});
