import { describe, expect, it } from 'vitest';
import { isDate, isOnTheCalendar } from './date-text.ts';

describe('a date', () => {
  it.each([
    '2026-03-31',
    '2026-03-31T09:00:00',
    '2026-03-31T09:00:00.000+02:00',
    '2026-03-31 09:00:00',
    'Tue, 31 Mar 2026 09:00:00 GMT',
    'March 31, 2026',
    '2026-W14-2',
    '2026-090',
    '20260331',
    1_774_947_600_000,
  ])('can be read in %s', (value) => expect(isDate(value)).toBe(true));

  it.each(['tomorrow', '', '31.03', '2026-13-01', {}, null, true])('cannot be read in %s', (value) =>
    expect(isDate(value)).toBe(false),
  );

  it('must be a day that exists', () => {
    expect(isOnTheCalendar('2028-02-29')).toBe(true);
    expect(isOnTheCalendar('2026-02-29')).toBe(false);
    expect(isOnTheCalendar('2026-02-30T09:00:00')).toBe(false);
  });
});
