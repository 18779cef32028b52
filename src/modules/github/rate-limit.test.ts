import { expect, test } from 'vitest';
import { HttpError } from '../http.ts';
import { waitOf } from './rate-limit.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const wait = (status: number, headers: Record<string, string>, body = '') =>
  waitOf(new HttpError(status, body, headers), NOW);

test('the primary limit ends at a time', () => {
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 5) };
  expect(wait(403, headers)).toBe(6000);
  expect(wait(429, headers)).toBe(6000);
  expect(wait(403, { ...headers, 'x-ratelimit-reset': String(NOW / 1000 - 5) })).toBe(1000);
});

test('a secondary limit says how long, or is taken for a minute', () => {
  expect(wait(403, { 'retry-after': '3' })).toBe(3000);
  expect(wait(429, {})).toBe(60_000);
  expect(wait(403, {}, '{"message":"You have exceeded a secondary rate limit."}')).toBe(60_000);
});

test('other refusals are no limit', () => {
  expect(wait(403, { 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': '1' })).toBeUndefined();
  expect(wait(403, {}, '{"message":"Must have admin rights to Repository."}')).toBeUndefined();
  expect(wait(503, { 'retry-after': '3' })).toBeUndefined();
});
