import { expect, test } from 'vitest';
import { suggestionsFor } from './suggestions.ts';

test.each([
  ['http_requests_total', 'counter', ['job'], 'sum by (job) (rate(http_requests_total[5m]))'],
  ['http_seconds_bucket', 'histogram', ['le'], 'histogram_quantile(0.95, sum by (le) (rate(http_seconds_bucket[5m])))'],
  ['http_seconds', 'histogram', ['job'], 'histogram_quantile(0.95, sum(rate(http_seconds[5m])))'],
  ['go_gc_seconds', 'summary', ['quantile'], 'max by (quantile) (go_gc_seconds)'],
  ['up', 'gauge', ['job', 'instance'], 'avg by (job) (up)'],
  ['x', undefined, [], 'sum(x)'],
  ['a.b', 'gauge', [], 'sum({"a.b"})'],
])('%s, a %s', (metric, type, labels, query) => {
  expect(suggestionsFor(metric, type, labels)).toContain(query);
});
