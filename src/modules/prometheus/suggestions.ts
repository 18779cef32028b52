import { familyOf } from './metadata.ts';

/** Queries that suit the type of a metric. */
export function suggestionsFor(metric: string, type: string | undefined, labels: readonly string[]): string[] {
  const name = /^[a-zA-Z_:][\w:]*$/.test(metric) ? metric : `{${JSON.stringify(metric)}}`;
  const by = labels.find((label) => !['le', 'quantile', '__name__'].includes(label));
  const grouped = by !== undefined && /^[a-zA-Z_]\w*$/.test(by) ? `sum by (${by}) ` : 'sum ';
  if (type === 'histogram') {
    const family = familyOf(metric);
    const buckets = metric.endsWith('_bucket') || labels.includes('le') || metric !== family;
    return buckets
      ? [
          `histogram_quantile(0.95, sum by (le) (rate(${family}_bucket[5m])))`,
          `sum(rate(${family}_sum[5m])) / sum(rate(${family}_count[5m]))`,
        ]
      : [`histogram_quantile(0.95, sum(rate(${name}[5m])))`, `sum(histogram_count(rate(${name}[5m])))`];
  }
  if (type === 'counter' || metric.endsWith('_total'))
    return [`${grouped}(rate(${name}[5m]))`, `sum(increase(${name}[1h]))`];
  if (type === 'summary') return [`max by (quantile) (${familyOf(metric)})`];
  return [
    `${by === undefined ? 'sum' : `avg by (${by}) `}(${name})`.replace('  ', ' '),
    `topk(5, ${name})`,
    `max_over_time(${name}[1h])`,
  ];
}
