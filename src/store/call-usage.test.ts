import { expect, test } from 'vitest';
import { createCallGroups, latencyAt, latencyClass } from './call-usage.ts';

test.each([0.02, 0.5, 1, 7, 42, 1234, 60_000])('a latency of %d ms is accurate to five percent', (ms) => {
  const told = latencyAt({ [latencyClass(ms)]: 1 }, 0.5) as number;
  expect(Math.abs(told - ms) / ms).toBeLessThan(0.05);
});

test('a percentile is the time of the call at its rank', () => {
  const latencies: Record<number, number> = {};
  for (let ms = 1; ms <= 100; ms++) latencies[latencyClass(ms)] = (latencies[latencyClass(ms)] ?? 0) + 1;
  expect(latencyAt(latencies, 0.5)).toBeCloseTo(50, -1);
  expect(latencyAt(latencies, 0.95)).toBeCloseTo(95, -1);
  expect(latencyAt({}, 0.5)).toBeUndefined();
});

test('zero and negative times count as the shortest', () => {
  expect(latencyClass(0)).toBe(0);
  expect(latencyClass(-1)).toBe(0);
});

test('events without tool, source or principal are not counted', () => {
  const groups = createCallGroups();
  groups.count({ tool: 't', source: 's' }, false);
  groups.count({}, true);
  expect(groups.all()).toEqual([]);
});
