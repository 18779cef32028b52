import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isoTime, secondsIn, spanText, stepFor, timeOf, windowOf } from './times.ts';

const NOW = Date.parse('2026-01-31T12:00:00Z') / 1000;

test.each([
  ['30s', 30],
  ['1h30m', 5400],
  ['1.5h', 5400],
  ['500ms', 0.5],
  ['1y', 31_536_000],
  [15, 15],
  ['15', 15],
  ['', undefined],
  ['5 minutes', undefined],
  ['m5', undefined],
  [-1, undefined],
  [Number.NaN, undefined],
  ['1'.repeat(100), undefined],
])('%j is %j seconds', (given, seconds) => {
  expect(secondsIn(given)).toBe(seconds);
});

test.each([
  ['now', '2026-01-31T12:00:00Z'],
  ['1h', '2026-01-31T11:00:00Z'],
  ['-1h', '2026-01-31T11:00:00Z'],
  ['now-30m', '2026-01-31T11:30:00Z'],
  ['now - 1h30m', '2026-01-31T10:30:00Z'],
  ['now+5m', '2026-01-31T12:05:00Z'],
  ['2026-01-30T14:00:00+02:00', '2026-01-30T12:00:00Z'],
  ['2026-01-30 14:00', '2026-01-30T14:00:00Z'],
  ['2026-01-30', '2026-01-30T00:00:00Z'],
  [1_769_774_400, '2026-01-30T12:00:00Z'],
  ['1769774400', '2026-01-30T12:00:00Z'],
  [1_769_774_400_000, '2026-01-30T12:00:00Z'],
])('%j is %s', (given, iso) => {
  expect(isoTime(timeOf(given, 'start', NOW))).toBe(iso);
});

test.each(['yesterday', '', 'now-', 'now-x', '2026-13-45T00:00:00Z', 'x'.repeat(1000), Number.NaN, 1e300])(
  '%j is not a time',
  (given) => {
    expect(() => timeOf(given, 'start', NOW)).toThrow(/^start: ".*" is not a time\. Write /);
  },
);

test.each([
  [90, '1m30s'],
  [3600, '1h'],
  [0.25, '250ms'],
  [31 * 86_400, '31d'],
])('%d seconds are %s', (seconds, text) => {
  expect(spanText(seconds)).toBe(text);
});

it('writes spans that it can read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), (seconds) => {
      expect(secondsIn(spanText(seconds))).toBe(seconds);
    }),
  );
});

it('chooses a step for at most as many points', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 10, max: 11_000 }), (range, points) => {
      const step = stepFor(range, points);
      expect(range / step).toBeLessThanOrEqual(points);
      expect(step).toBeGreaterThanOrEqual(1);
    }),
  );
});

describe('the window of a range query', () => {
  const limits = { range: 86_400, points: 1000, setting: 'modules.prometheus' };

  it('ends now and has about 60 points', () => {
    expect(windowOf({ start: '1h' }, limits, NOW)).toEqual({ start: NOW - 3600, end: NOW, step: 60 });
    expect(windowOf({ start: '6h' }, limits, NOW).step).toBe(600);
    expect(windowOf({ start: 'now-2h', end: 'now-1h', step: '15s' }, limits, NOW)).toEqual({
      start: NOW - 7200,
      end: NOW - 3600,
      step: 15,
    });
  });

  it.each([
    [{ start: '2d' }, 'start to end is 2d, and modules.prometheus.maxRange allows 1d.'],
    [{ start: '1h', step: '1s' }, 'Use a step of 5s or more, or leave step out.'],
    [{ start: 'now', end: '1h' }, 'end (2026-01-31T11:00:00Z) must be after start (2026-01-31T12:00:00Z).'],
    [{ start: '1h', step: 'often' }, 'step: "often" is not a duration.'],
    [{ start: '1h', step: 0 }, 'step: "0" is not a duration.'],
  ])('refuses %j', (asked, message) => {
    expect(() => windowOf(asked, limits, NOW)).toThrow(message);
  });
});
