import { z } from 'zod';
import { seriesAnswer } from '../answers.ts';
import { MOST_SERIES } from '../many-series.ts';
import { paged } from '../../paged.ts';
import { metricOutput, shownLabels } from '../shown-series.ts';
import { isoTime, windowOf } from '../times.ts';
import {
  cursorInput,
  cursorOutput,
  listOf,
  matchInput,
  now,
  prometheusTool,
  timeInput,
  warningsOutput,
} from '../tool.ts';
import { shownWarnings } from '../warnings.ts';

export const findSeries = prometheusTool({
  name: 'prometheus_find_series',
  title: 'Find series',
  description:
    'Series that match a selector, with all their labels. Looks at the last hour unless start says otherwise. Example: {"match": "{job=\\"api\\", __name__=~\\"http_.*\\"}"}.',
  phrases:
    'which series exist for this job; all metrics of an instance; label combinations of a metric; find time series; does this series exist',
  effect: 'read',
  input: z.strictObject({
    match: matchInput,
    start: timeInput.default('1h').describe('RFC 3339, unix seconds or 1h (ago)'),
    end: timeInput.optional().describe('The same; default now'),
    cursor: cursorInput,
  }),
  output: z.object({
    total: z.number(),
    at_least: z.boolean().optional().describe('There may be more than total'),
    since: z.string(),
    series: z.array(metricOutput),
    cursor: cursorOutput,
    warnings: warningsOutput,
  }),
  async run({ match, start, end = 'now', cursor }, prometheus, { signal }) {
    const window = windowOf({ start, end }, prometheus.limits, now());
    const params = {
      'match[]': listOf(match),
      start: window.start.toFixed(3),
      end: window.end.toFixed(3),
      limit: MOST_SERIES,
    };
    const { data, warnings } = await prometheus.ask(seriesAnswer, '/api/v1/series', { params, signal });
    const frame = { total: data.length, since: isoTime(window.start), ...shownWarnings(warnings) };
    const { page, next } = paged(data, (labels) => shownLabels(labels), {
      list: 'prometheus_find_series',
      asked: { match, start, end },
      cursor,
      besides: frame,
    });
    return { ...frame, ...(data.length >= MOST_SERIES && { at_least: true }), series: page, ...next };
  },
});
