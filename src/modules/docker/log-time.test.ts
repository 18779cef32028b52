import { expect, test } from 'vitest';
import { momentBefore, splitTime, unixTime } from './log-time.ts';

test('times are seconds with nanoseconds', () => {
  expect(unixTime('1970-01-01T00:01:00Z')).toBe('60.000000000');
  expect(unixTime('1970-01-01T00:01:00.123456789Z')).toBe('60.123456789');
  expect(unixTime('1970-01-01T01:01:00.5+01:00')).toBe('60.500000000');
  expect(unixTime('1m', 120_250)).toBe('60.250000000');
  expect(() => unixTime('soon')).toThrow('is not a time');
  expect(() => unixTime('1960-01-01')).toThrow('before 1970');
});

test('the time comes off a line', () => {
  expect(splitTime('2026-01-01T00:00:00.123456789Z hello  x')).toEqual({
    time: '2026-01-01T00:00:00.123456789Z',
    text: 'hello  x',
  });
  expect(splitTime('2026-01-01T00:00:00Z ')).toEqual({ time: '2026-01-01T00:00:00Z', text: '' });
  expect(splitTime('2026-01-01T00:00:00+01:00 x')).toMatchObject({ text: 'x' });
  expect(splitTime('no time')).toEqual({ text: 'no time' });
});

test('the moment before is a nanosecond earlier, where there are nanoseconds', () => {
  expect(momentBefore('2026-01-01T00:00:00.000000010Z')).toBe('2026-01-01T00:00:00.000000009Z');
  expect(momentBefore('2026-01-01T00:00:00.000000000Z')).toBe('2026-01-01T00:00:00.000000000Z');
  expect(momentBefore('2026-01-01T00:00:00Z')).toBe('2026-01-01T00:00:00Z');
});
