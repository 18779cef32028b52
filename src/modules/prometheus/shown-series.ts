import { z } from 'zod';
import { shortened } from '../shown.ts';
import type { Histogram, MatrixSeries, VectorSample } from './answers.ts';
import { numberIn, roundNumber, shownNumber, valueOutput } from './numbers.ts';
import { plot, type Point, statsOf } from './plot.ts';
import type { Window } from './times.ts';

export const metricOutput = z.record(z.string(), z.string()).describe('Labels');

const LONGEST_VALUE = 200;
const MOST_BYTES = 1200;

/** Labels, cut to what a reply can show. */
export function shownLabels(labels: Readonly<Record<string, string>>, most = MOST_BYTES): Record<string, string> {
  const entries = Object.entries(labels);
  const kept: [string, string][] = [];
  let left = most;
  for (const [name, value] of entries) {
    const entry: [string, string] = [shortened(name, LONGEST_VALUE), shortened(value, LONGEST_VALUE)];
    left -= Buffer.byteLength(JSON.stringify(entry));
    if (left < 0) return Object.fromEntries([...kept, ['…', `${entries.length - kept.length} more labels`]]);
    kept.push(entry);
  }
  return Object.fromEntries(kept);
}

const histogramOutput = z
  .object({
    count: valueOutput,
    sum: valueOutput,
    buckets: z.record(z.string(), valueOutput).optional().describe('Count by bucket'),
    more_buckets: z.number().optional(),
  })
  .describe('A native histogram');

const MOST_BUCKETS = 20;

/** The fullest buckets of a native histogram, in their order. */
export function shownHistogram({ count, sum, buckets }: Histogram): z.output<typeof histogramOutput> {
  const all = (buckets ?? []).map(([bounds, low, high, inside], index) => {
    const [open, close] = [bounds === 1 || bounds === 3 ? '[' : '(', bounds === 0 || bounds === 3 ? ']' : ')'];
    return { index, name: `${open}${low},${high}${close}`, count: numberIn(inside) };
  });
  const fullest = all.toSorted((a, b) => b.count - a.count).slice(0, MOST_BUCKETS);
  const kept = fullest.sort((a, b) => a.index - b.index);
  return {
    count: shownNumber(numberIn(count)),
    sum: shownNumber(numberIn(sum)),
    ...(kept.length > 0 && {
      buckets: Object.fromEntries(kept.map(({ name, count: inside }) => [name, shownNumber(inside)])),
    }),
    ...(kept.length < all.length && { more_buckets: all.length - kept.length }),
  };
}

export const sampleOutput = z.object({
  metric: metricOutput,
  value: valueOutput.optional(),
  histogram: histogramOutput.optional(),
});

export function shownSample({ metric, value, histogram }: VectorSample): z.output<typeof sampleOutput> {
  return {
    metric: shownLabels(metric),
    ...(value && { value: shownNumber(numberIn(value[1])) }),
    ...(histogram && { histogram: shownHistogram(histogram[1]) }),
  };
}

export const plotOutput = z.object({
  metric: metricOutput,
  plot: z.string().describe('From min to max; space: no value, ?: NaN'),
  min: valueOutput.optional(),
  max: valueOutput.optional(),
  avg: valueOutput.optional(),
  last: valueOutput.optional(),
  points: z.number(),
  of: z.literal('count').optional().describe('Native histograms are plotted by their count'),
  values: z
    .array(z.union([valueOutput, z.null()]))
    .optional()
    .describe('One for each step from start'),
});

const pointsOf = ({ values = [], histograms = [] }: MatrixSeries): Point[] =>
  values.length > 0
    ? values.map(([time, value]) => [time, numberIn(value)] as const)
    : histograms.map(([time, { count }]) => [time, numberIn(count)] as const);

/** A series as a line of bars, with its values if they are wanted. */
export function shownPlot(series: MatrixSeries, window: Window, withValues = false): z.output<typeof plotOutput> {
  const points = pointsOf(series);
  const stats = statsOf(points);
  const last = points.at(-1);
  return {
    metric: shownLabels(series.metric),
    plot: plot(points, window),
    ...(stats && { min: roundNumber(stats.low), max: roundNumber(stats.high), avg: roundNumber(stats.average) }),
    ...(last && { last: roundNumber(last[1]) }),
    points: points.length,
    ...(series.values === undefined && series.histograms !== undefined && { of: 'count' as const }),
    ...(withValues && { values: valuesOf(points, window) }),
  };
}

function valuesOf(points: readonly Point[], window: Window) {
  const byStep = new Map(points.map(([time, value]) => [Math.round((time - window.start) / window.step), value]));
  return Array.from({ length: Math.floor((window.end - window.start) / window.step + 1e-9) + 1 }, (_, index) => {
    const value = byStep.get(index);
    return value === undefined ? null : roundNumber(value);
  });
}

/** The window in which the points of these series lie, for a query without one, such as `up[5m]`. */
export function windowAround(series: readonly MatrixSeries[]): Window {
  const times = series.flatMap((one) => {
    const points = pointsOf(one);
    return points.length === 0 ? [] : [points[0] as Point, points.at(-1) as Point].map(([time]) => time);
  });
  if (times.length === 0) return { start: 0, end: 1, step: 1 };
  const [start, end] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  const most = series.reduce((count, one) => Math.max(count, (one.values ?? one.histograms ?? []).length), 1);
  const step = most > 1 ? (end - start) / (most - 1) : 1;
  return { start, end: Math.max(end, start + 0.001), step: Math.max(step, 0.001) };
}
