import { describe, expect, it } from 'vitest';
import { shownHistogram, shownLabels, shownPlot, shownSample, windowAround } from './shown-series.ts';

const window = { start: 100, end: 104, step: 1 };

describe('samples', () => {
  it('may be NaN or infinite', () => {
    const value = (text: string) => shownSample({ metric: {}, value: [1, text] }).value;
    expect(['NaN', '+Inf', '-Inf', '1e+30', '0.1'].map(value)).toEqual(['NaN', '+Inf', '-Inf', 1e30, 0.1]);
  });

  it('may be native histograms', () => {
    const buckets: [number, string, string, string][] = [
      [3, '-0.001', '0.001', '2'],
      [0, '0.5', '1', '3'],
      [1, '-1', '-0.5', '4'],
    ];
    expect(shownHistogram({ count: '9', sum: '4.5', buckets })).toEqual({
      count: 9,
      sum: 4.5,
      buckets: { '[-0.001,0.001]': 2, '(0.5,1]': 3, '[-1,-0.5)': 4 },
    });
  });

  it('show the fullest buckets of a large histogram', () => {
    const buckets = Array.from({ length: 100 }, (_, n): [number, string, string, string] => [
      0,
      `${n}`,
      `${n + 1}`,
      `${n}`,
    ]);
    const shown = shownHistogram({ count: '4950', sum: '1', buckets });
    expect(Object.keys(shown.buckets ?? {})).toHaveLength(20);
    expect(shown.buckets).toHaveProperty('(99,100]', 99);
    expect(shown.more_buckets).toBe(80);
  });
});

describe('labels', () => {
  it('are cut where they are long or many', () => {
    const long = shownLabels({ text: 'x'.repeat(10_000) });
    expect(long.text).toMatch(/^x{200}… \(10000 characters\)$/);
    const many = shownLabels(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`label_${n}`, 'value'])));
    expect(JSON.stringify(many).length).toBeLessThan(1500);
    expect(many['…']).toMatch(/^\d+ more labels$/);
  });

  it('may be called like something else', () => {
    expect(shownLabels(JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, string>)).toHaveProperty(
      'constructor',
      'b',
    );
  });
});

describe('plots', () => {
  it('have statistics, and values if wanted', () => {
    const series = {
      metric: { job: 'a' },
      values: [
        [100, '1'],
        [101, '2'],
        [103, 'NaN'],
        [104, '3'],
      ] as [number, string][],
    };
    expect(shownPlot(series, window)).toEqual({
      metric: { job: 'a' },
      plot: '▁▅ ?█',
      min: 1,
      max: 3,
      avg: 2,
      last: 3,
      points: 4,
    });
    expect(shownPlot(series, window, true).values).toEqual([1, 2, null, 'NaN', 3]);
  });

  it('show native histograms by their count', () => {
    const histograms: [number, { count: string; sum: string }][] = [
      [100, { count: '1', sum: '1' }],
      [104, { count: '5', sum: '9' }],
    ];
    expect(shownPlot({ metric: {}, histograms }, window)).toMatchObject({ plot: '▁   █', of: 'count', max: 5 });
  });

  it('find their own window', () => {
    expect(
      windowAround([
        {
          metric: {},
          values: [
            [10, '1'],
            [20, '1'],
            [30, '1'],
          ],
        },
      ]),
    ).toEqual({ start: 10, end: 30, step: 10 });
    expect(windowAround([{ metric: {}, values: [[10, '1']] }])).toEqual({ start: 10, end: 10.001, step: 1 });
    expect(windowAround([])).toEqual({ start: 0, end: 1, step: 1 });
  });
});
