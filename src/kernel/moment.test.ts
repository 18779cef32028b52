import { expect, test } from 'vitest';
import { momentOf } from './moment.ts';

const now = Date.parse('2026-11-15T12:00:00Z');

test.each([
  ['90s', '2026-11-15T11:58:30.000Z'],
  ['15m', '2026-11-15T11:45:00.000Z'],
  ['2h', '2026-11-15T10:00:00.000Z'],
  ['7d', '2026-11-08T12:00:00.000Z'],
  ['1w', '2026-11-08T12:00:00.000Z'],
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['2026-11-01T08:00:00+02:00', '2026-11-01T06:00:00.000Z'],
])('%s is a point in time', (text, iso) => {
  expect(momentOf(text, now).toISOString()).toBe(iso);
});

test.each(['yesterday', '', '5 parsecs', '99999999999d', '-1h'])('%j is not a time', (text) => {
  expect(() => momentOf(text, now)).toThrow('is not a time. Write an ISO time or 15m, 2h, 7d.');
});
