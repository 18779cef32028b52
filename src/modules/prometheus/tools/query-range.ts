import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { queryAnswer } from '../answers.ts';
import { MOST_SERIES, moreSeries, NO_SERIES } from '../many-series.ts';
import { axisOf, columnsOf } from '../plot.ts';
import { plotOutput, shownPlot } from '../shown-series.ts';
import { isoTime, spanText, stepFor, windowOf } from '../times.ts';
import { now, prometheusTool, queryInput, timeInput, warningsOutput } from '../tool.ts';
import { shownWarnings } from '../warnings.ts';

/** More do not fit into a reply. */
const MOST_VALUES = 120;

export const queryRange = prometheusTool({
  name: 'prometheus_query_range',
  title: 'Query over time',
  description:
    'Evaluates PromQL over a time range. Each series is a small text plot with min, max, avg and last; values: true adds the numbers. Example: {"query": "rate(http_requests_total[5m])", "start": "6h"}.',
  phrases:
    'plot a metric over the last hours; graph of cpu usage today; how did memory develop; trend of requests since yesterday; was there a spike last night; chart of the error rate',
  effect: 'read',
  input: z.strictObject({
    query: queryInput,
    start: timeInput.describe('RFC 3339, unix seconds, 1h (ago) or now-30m'),
    end: timeInput.optional().describe('The same; default now'),
    step: z
      .union([z.string().min(1).max(60), z.number()])
      .optional()
      .describe('Time between points: 30s, 5m or seconds; default for about 60 points'),
    values: z.boolean().default(false).describe(`Also the numbers, at most ${MOST_VALUES} per series`),
    limit: z.int().min(1).max(1000).default(50).describe('At most this many series'),
  }),
  output: z.object({
    start: z.string(),
    end: z.string(),
    step: z.string(),
    axis: z.string().describe('Times below the plots, UTC'),
    series: z.array(plotOutput),
    note: z.string().optional(),
    more: z.string().optional().describe('What is not shown, and how to get it'),
    warnings: warningsOutput,
  }),
  examples: [
    { title: 'The last six hours', arguments: { query: 'sum by (job) (rate(http_requests_total[5m]))', start: '6h' } },
  ],
  async run({ query, values, limit, ...asked }, prometheus, { signal }) {
    const window = windowOf(asked, prometheus.limits, now());
    const range = window.end - window.start;
    if (values && range / window.step > MOST_VALUES)
      throw new AppError(
        'invalid_input',
        `With values a series may have at most ${MOST_VALUES} points. Use a step of ${spanText(stepFor(range, MOST_VALUES))} or more, a shorter range, or leave values out.`,
      );
    const params = {
      query,
      start: window.start.toFixed(3),
      end: window.end.toFixed(3),
      step: window.step,
      limit: MOST_SERIES,
    };
    const { data, warnings } = await prometheus.ask(queryAnswer, '/api/v1/query_range', { params, signal });
    const found = data.resultType === 'matrix' ? data.result : [];
    const frame = {
      start: isoTime(window.start),
      end: isoTime(window.end),
      step: spanText(window.step),
      axis: axisOf(window, columnsOf(window)),
      ...shownWarnings(warnings),
    };
    if (found.length === 0) return { ...frame, series: [], note: NO_SERIES };
    const series = found.slice(0, limit).map((one) => shownPlot(one, window, values));
    const fits = fittingItems(series, { ...frame, more: moreSeries(found.length, found.length) });
    return {
      ...frame,
      series: series.slice(0, fits),
      ...(fits < found.length && { more: moreSeries(fits, found.length) }),
    };
  },
});
