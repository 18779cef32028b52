import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { shortened } from '../../shown.ts';
import {
  type Answer,
  alertmanagersAnswer,
  buildAnswer,
  configAnswer,
  flagsAnswer,
  runtimeAnswer,
  tsdbAnswer,
} from '../answers.ts';
import type { Prometheus } from '../connection.ts';
import { firstFitting } from '../first-fitting.ts';
import { maskedConfig, maskedText } from '../masked.ts';
import { matcherOf } from '../matching.ts';
import { paged } from '../../paged.ts';
import { isoTime } from '../times.ts';
import { cursorInput, cursorOutput, patternInput, prometheusTool } from '../tool.ts';

const TOP = 10;
const countsOutput = z.array(z.object({ name: z.string(), count: z.number() }));

export const getStatus = prometheusTool({
  name: 'prometheus_get_status',
  title: 'Get status',
  description:
    'The server itself: version, uptime, retention, alertmanagers, series in memory and the metrics and labels with the most of them. section: flags or config shows those, with secrets masked.',
  phrases:
    'version of prometheus; how many time series; which metrics cause high cardinality; prometheus configuration; retention time; is prometheus healthy; which alertmanagers',
  effect: 'read',
  input: z.strictObject({
    section: z.enum(['overview', 'flags', 'config']).default('overview').describe('What to show'),
    pattern: patternInput.describe('Only flags or lines of the configuration with this'),
    cursor: cursorInput,
  }),
  output: z.object({
    version: z.string().optional(),
    started: z.string().optional(),
    retention: z.string().optional(),
    config_loaded: z.boolean().optional(),
    config_time: z.string().optional(),
    corruptions: z.number().optional(),
    alertmanagers: z.array(z.string()).optional(),
    dropped_alertmanagers: z.array(z.string()).optional(),
    series: z.number().optional().describe('In memory'),
    chunks: z.number().optional(),
    oldest: z.string().optional(),
    top_metrics: countsOutput.optional().describe('Series by metric'),
    top_labels: countsOutput.optional().describe('Values by label'),
    top_pairs: countsOutput.optional().describe('Series by label and value'),
    flags: z.array(z.string()).optional(),
    config: z.array(z.string()).optional().describe('Lines of YAML'),
    not_offered: z.array(z.string()).optional().describe('What this server does not tell'),
    cursor: cursorOutput,
  }),
  async run({ section, pattern, cursor }, prometheus, { signal }) {
    if (section === 'overview') return await overview(prometheus, signal);
    const lines = section === 'flags' ? await flagsOf(prometheus, signal) : await configOf(prometheus, signal);
    const fits = matcherOf(pattern);
    const { page, next } = paged(
      lines.filter((line) => fits(line)),
      (line) => shortened(line, 300),
      {
        list: 'prometheus_get_status',
        asked: { section, pattern },
        cursor,
      },
    );
    return { [section]: page, ...next };
  },
});

async function flagsOf(prometheus: Prometheus, signal: AbortSignal): Promise<string[]> {
  const { data } = await prometheus.ask(flagsAnswer, '/api/v1/status/flags', { signal });
  return Object.entries(data).map(([name, value]) => {
    const hidden = /password|secret|token|auth/i.test(name) && !/^(?:true|false|\d*)$/.test(value);
    return `--${shortened(name, 200)}=${hidden ? '[redacted]' : shortened(maskedText(value), 300)}`;
  });
}

async function configOf(prometheus: Prometheus, signal: AbortSignal): Promise<string[]> {
  const { data } = await prometheus.ask(configAnswer, '/api/v1/status/config', { signal });
  try {
    return (await maskedConfig(data.yaml)).trimEnd().split('\n');
  } catch (error) {
    throw new AppError(
      'unsupported',
      'The configuration is not shown: it could not be read, so its secrets could not be masked.',
      { cause: error },
    );
  }
}

async function overview(prometheus: Prometheus, signal: AbortSignal) {
  const missing: string[] = [];
  const ask = async <T>(type: z.ZodType<Answer<T>>, path: string, params = {}): Promise<T | undefined> => {
    try {
      return (await prometheus.ask(type, `/api/v1/${path}`, { params, signal })).data;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unsupported') throw error;
      missing.push(path);
      return undefined;
    }
  };
  const [build, runtime, tsdb, managers] = await Promise.all([
    ask(buildAnswer, 'status/buildinfo'),
    ask(runtimeAnswer, 'status/runtimeinfo'),
    ask(tsdbAnswer, 'status/tsdb', { limit: TOP }),
    ask(alertmanagersAnswer, 'alertmanagers'),
  ]);
  const head = tsdb?.headStats;
  const urls = (given: readonly { url: string }[]) =>
    given.slice(0, 5).map(({ url }) => shortened(maskedText(url), 150));
  const shown = (most: number, top = countsOf(most)) => ({
    ...(build?.version !== undefined && {
      version: [build.application, build.version].filter(Boolean).join(' ').slice(0, 100),
    }),
    ...(runtime?.startTime !== undefined && { started: runtime.startTime.slice(0, 40) }),
    ...(runtime?.storageRetention !== undefined && { retention: runtime.storageRetention.slice(0, 60) }),
    ...(runtime?.reloadConfigSuccess !== undefined && { config_loaded: runtime.reloadConfigSuccess }),
    ...(runtime?.lastConfigTime !== undefined && { config_time: runtime.lastConfigTime.slice(0, 40) }),
    ...(runtime?.corruptionCount !== undefined && { corruptions: runtime.corruptionCount }),
    ...(managers && { alertmanagers: urls(managers.activeAlertmanagers) }),
    ...(managers &&
      managers.droppedAlertmanagers.length > 0 && { dropped_alertmanagers: urls(managers.droppedAlertmanagers) }),
    ...(head?.numSeries !== undefined && { series: head.numSeries }),
    ...(head?.chunkCount !== undefined && { chunks: head.chunkCount }),
    ...(head?.minTime !== undefined && Math.abs(head.minTime) < 1e14 && { oldest: isoTime(head.minTime / 1000) }),
    ...(tsdb && {
      top_metrics: top(tsdb.seriesCountByMetricName),
      top_labels: top(tsdb.labelValueCountByLabelName),
      top_pairs: top(tsdb.seriesCountByLabelValuePair),
    }),
    ...(missing.length > 0 && { not_offered: missing }),
  });
  return firstFitting([() => shown(TOP), () => shown(TOP / 2), () => shown(1)]);
}

const countsOf = (most: number) => (counts: readonly { name: string; value: number }[]) =>
  counts.slice(0, most).map(({ name, value }) => ({ name: shortened(name, 100), count: value }));
