import { expect, test } from 'vitest';
import { localTime, placeOf, timeAt, TOP } from './as-of.ts';

const from = Date.parse('2026-01-01T00:00:00Z');
const now = Date.parse('2026-01-11T00:00:00Z');

test('the slider goes from the beginning to now', () => {
  expect(timeAt(0, from, now)).toBe('2026-01-01T00:00:00.000Z');
  expect(timeAt(TOP / 2, from, now)).toBe('2026-01-06T00:00:00.000Z');
  expect(timeAt(TOP, from, now)).toBeUndefined();
});

test('a time has its place, and what is none is now', () => {
  expect(placeOf('2026-01-06T00:00:00Z', from, now)).toBe(TOP / 2);
  expect(placeOf('1999-01-01', from, now)).toBe(0);
  expect(placeOf(undefined, from, now)).toBe(TOP);
  expect(placeOf('30d', from, now)).toBe(TOP);
  expect(placeOf('2026-01-06T00:00:00Z', now, now)).toBe(TOP);
});

test('local times are as the browser wants them', () => {
  const at = new Date(2026, 2, 4, 5, 6);
  expect(localTime(at.toISOString())).toBe('2026-03-04T05:06');
  expect(localTime('nonsense')).toBe('');
  expect(localTime(undefined)).toBe('');
});
