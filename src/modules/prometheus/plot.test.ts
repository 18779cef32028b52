import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisOf, columnsOf, plot, type Point, statsOf } from './plot.ts';

const from = (values: readonly (number | undefined)[]): Point[] =>
  values.flatMap((value, index) => (value === undefined ? [] : [[index, value] as const]));
const window = (points: number) => ({ start: 0, end: points - 1, step: 1 });

describe('plot', () => {
  it('rises from the lowest value to the highest', () => {
    expect(plot(from([0, 1, 2, 3, 4, 5, 6, 7]), window(8))).toBe('▁▂▃▄▅▆▇█');
    expect(plot(from([-5, 5]), window(2))).toBe('▁█');
  });

  it('shows gaps, NaN and infinity', () => {
    expect(plot(from([1, undefined, Number.NaN, Infinity, -Infinity, 2]), window(6))).toBe('▁ ?↑↓█');
  });

  it('shows a level that does not change', () => {
    expect(plot(from([3, 3, 3]), window(3))).toBe('▄▄▄');
    expect(plot(from([0, 0, 0]), window(3))).toBe('▁▁▁');
    expect(plot([], window(3))).toBe('   ');
  });

  it('keeps spikes and dips where columns are shared', () => {
    const values = Array.from({ length: 600 }, () => 50);
    values[305] = 100;
    values[501] = 0;
    const line = plot(from(values), window(600));
    expect(line).toHaveLength(60);
    expect(line.indexOf('█')).toBe(30);
    expect(line.indexOf('▁')).toBe(50);
    expect(new Set(line)).toEqual(new Set(['▁', '█', line.charAt(0)]));
  });

  it('has the same width for any values', () => {
    const value = fc.oneof(
      fc.double(),
      fc.constantFrom(Number.NaN, Infinity, -Infinity, Number.MAX_VALUE, -Number.MAX_VALUE),
    );
    fc.assert(
      fc.property(fc.array(fc.option(value, { nil: undefined }), { minLength: 1, maxLength: 200 }), (values) => {
        const line = plot(from(values), window(values.length));
        expect(line).toHaveLength(columnsOf(window(values.length)));
        expect(line).toMatch(/^[ ?↑↓▁▂▃▄▅▆▇█]+$/u);
      }),
    );
  });
});

describe('statistics', () => {
  it('leave out what is not finite', () => {
    expect(statsOf(from([1, Number.NaN, 3, Infinity]))).toEqual({ low: 1, high: 3, average: 2 });
    expect(statsOf(from([Number.NaN]))).toBeUndefined();
  });
});

describe('axis', () => {
  const hour = {
    start: Date.parse('2026-01-31T14:00:00Z') / 1000,
    end: Date.parse('2026-01-31T15:00:00Z') / 1000,
    step: 60,
  };

  it('has the times of the first, middle and last column', () => {
    const axis = axisOf(hour, 60);
    expect(axis).toHaveLength(60);
    expect(axis).toMatch(/^14:00 +14:30 +15:00$/);
    expect(axis.indexOf('14:30')).toBe(27);
  });

  it('has dates for days and seconds for minutes', () => {
    expect(axisOf({ ...hour, start: hour.start - 2 * 86_400 }, 60)).toMatch(/^01-29 14:00 +01-30 14:30 +01-31 15:00$/);
    expect(axisOf({ ...hour, start: hour.end - 60 }, 60)).toMatch(/^14:59:00 +14:59:30 +15:00:00$/);
  });

  it('fits below a narrow plot, or beside it', () => {
    expect(axisOf(hour, 15)).toBe('14:00     15:00');
    expect(axisOf(hour, 5)).toBe('14:00 – 15:00');
  });
});
