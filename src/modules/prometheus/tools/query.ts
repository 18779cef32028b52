import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shortened } from '../../shown.ts';
import { queryAnswer } from '../answers.ts';
import { QUERY } from '../explain.ts';
import { MOST_SERIES, moreSeries, NO_SERIES } from '../many-series.ts';
import { numberIn, shownNumber, valueOutput } from '../numbers.ts';
import { plotOutput, sampleOutput, shownPlot, shownSample, windowAround } from '../shown-series.ts';
import { isoTime, timeOf } from '../times.ts';
import { now, prometheusTool, queryInput, timeInput, warningsOutput } from '../tool.ts';
import { shownWarnings } from '../warnings.ts';

export const query = prometheusTool({
  name: 'prometheus_query',
  title: 'Query now',
  description:
    'Evaluates PromQL at one moment, now by default. Returns one value per series. For a course over time use prometheus_query_range. Example: topk(5, sum by (job) (rate(http_requests_total[5m]))).',
  phrases:
    'run a promql query; current value of a metric; how much memory does it use right now; how many requests per second; is the service up; cpu load now',
  effect: 'read',
  input: z.strictObject({
    query: queryInput,
    time: timeInput.optional().describe('RFC 3339, unix seconds, 1h (ago) or now-30m; default now'),
    limit: z.int().min(1).max(1000).default(100).describe('At most this many series'),
  }),
  output: z.object({
    type: z.enum(['vector', 'matrix', 'scalar', 'string']),
    time: z.string(),
    value: z.union([valueOutput, z.string()]).optional().describe('Of a scalar or string'),
    series: z.array(z.union([plotOutput, sampleOutput])).optional(),
    note: z.string().optional(),
    more: z.string().optional().describe('What is not shown, and how to get it'),
    warnings: warningsOutput,
  }),
  examples: [{ title: 'Targets that are down', arguments: { query: 'up == 0' } }],
  async run({ query: asked, time, limit }, prometheus, { signal }) {
    const at = time === undefined ? undefined : timeOf(time, 'time', now());
    // Without a time, the clock of Prometheus decides: ours may be ahead of its last scrape.
    const params = { query: asked, time: at?.toFixed(3), limit: MOST_SERIES };
    const { data, warnings } = await prometheus.ask(queryAnswer, QUERY, { params, signal });
    const frame = { type: data.resultType, time: isoTime(at ?? now()), ...shownWarnings(warnings) };
    if (data.resultType === 'scalar') return { ...frame, value: shownNumber(numberIn(data.result[1])) };
    if (data.resultType === 'string') return { ...frame, value: shortened(data.result[1], 1200) };
    const { length } = data.result;
    if (length === 0) return { ...frame, series: [], note: NO_SERIES };
    const series =
      data.resultType === 'vector'
        ? data.result.slice(0, limit).map(shownSample)
        : plotted(data.result.slice(0, limit));
    const shown = series.slice(0, fittingItems(series, { ...frame, more: moreSeries(length, length) }));
    return { ...frame, series: shown, ...(shown.length < length && { more: moreSeries(shown.length, length) }) };
  },
});

function plotted(series: Parameters<typeof windowAround>[0]) {
  const window = windowAround(series);
  return series.map((one) => shownPlot(one, window));
}
