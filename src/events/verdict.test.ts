import { expect, test } from 'vitest';
import { verdictOn } from './verdict.ts';

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

test('Retry-After tells how long to wait', () => {
  const now = Date.parse('2026-11-15T00:00:00Z');
  expect(verdictOn({ status: 503, retryAfter: '120' }, now)).toMatchObject({ waitMs: 120_000 });
  expect(verdictOn({ status: 503, retryAfter: 'soon' }, now)).not.toHaveProperty('waitMs');
});
