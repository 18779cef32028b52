import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { nearestNames } from '../../../kernel/nearest-names.ts';
import { shortened } from '../../shown.ts';
import { namesAnswer, queryAnswer } from '../answers.ts';
import type { Prometheus } from '../connection.ts';
import { QUERY } from '../explain.ts';
import { firstFitting } from '../first-fitting.ts';
import { labelPath } from '../label-path.ts';
import { familyOf, metadataOf } from '../metadata.ts';
import { numberIn } from '../numbers.ts';
import { sampleOutput, shownSample } from '../shown-series.ts';
import { suggestionsFor } from '../suggestions.ts';
import { now, prometheusTool } from '../tool.ts';

const MOST_LABELS = 12;
const HOUR = 3600;

export const explainMetric = prometheusTool({
  name: 'prometheus_explain_metric',
  title: 'Explain metric',
  description:
    'All about one metric: type, help, how many series, its labels with example values, a few samples, and queries that suit its type.',
  phrases:
    'what does this metric mean; how do i query a histogram; labels and values of a metric; describe a metric; how many series does it have; example of a metric',
  effect: 'read',
  input: z.strictObject({ metric: z.string().trim().min(1).max(500).describe('Name of the metric') }),
  output: z.object({
    metric: z.string(),
    type: z.string().optional(),
    help: z.string().optional(),
    unit: z.string().optional(),
    series: z.number().describe('How many it has now'),
    labels: z.array(z.object({ name: z.string(), values: z.number(), examples: z.array(z.string()) })),
    more_labels: z.number().optional(),
    samples: z.array(sampleOutput),
    queries: z.array(z.string()).describe('Queries to start with'),
  }),
  async run({ metric }, prometheus, { signal }) {
    const selector = selectorOf(metric);
    const ask = (query: string) => prometheus.ask(queryAnswer, QUERY, { params: { query }, signal });
    const recent = { 'match[]': [selector], start: (now() - HOUR).toFixed(3) };
    const [about, counted, sampled, named] = await Promise.all([
      metadataOf(prometheus, signal, familyOf(metric)).then(
        async (of) => of(metric) ?? (await metadataOf(prometheus, signal, metric))(metric),
      ),
      ask(`count(${selector})`),
      ask(`topk(3, ${selector})`),
      prometheus.ask(namesAnswer, '/api/v1/labels', { params: recent, signal }),
    ]);
    const names = named.data.filter((name) => name !== '__name__');
    const count = counted.data.resultType === 'vector' ? counted.data.result[0]?.value?.[1] : undefined;
    if (count === undefined && about === undefined && named.data.length === 0)
      throw await unknown(metric, prometheus, signal);
    const labels = await Promise.all(
      names.slice(0, MOST_LABELS).map(async (name) => {
        const { data } = await prometheus.ask(namesAnswer, labelPath(name), { params: recent, signal });
        return { name, values: data };
      }),
    );
    const samples = sampled.data.resultType === 'vector' ? sampled.data.result.slice(0, 3) : [];
    const shown = (most: number, examples: number) => ({
      metric: shortened(metric, 200),
      ...(about && { type: shortened(about.type, 50), help: shortened(about.help, 600) }),
      ...(about?.unit && { unit: shortened(about.unit, 50) }),
      series: count === undefined ? 0 : numberIn(count),
      labels: labels.slice(0, most).map(({ name, values }) => ({
        name: shortened(name, 100),
        values: values.length,
        examples: values.slice(0, examples).map((value) => shortened(value, 60)),
      })),
      ...(names.length > most && { more_labels: names.length - most }),
      samples: samples.map(({ metric: all, ...sample }) => {
        const { __name__: _, ...rest } = all;
        const shown = shownSample({ metric: rest, ...sample });
        return Buffer.byteLength(JSON.stringify(shown)) > 500 ? { ...shown, metric: {} } : shown;
      }),
      queries: suggestionsFor(metric, about?.type, names).map((query) => shortened(query, 400)),
    });
    return firstFitting([() => shown(MOST_LABELS, 3), () => shown(MOST_LABELS, 1), () => shown(4, 1)]);
  },
});

/** Works for names with dots, too, which newer versions allow. */
const selectorOf = (metric: string): string => `{__name__=${JSON.stringify(metric)}}`;

const MOST_COMPARED = 3000;

async function unknown(metric: string, prometheus: Prometheus, signal: AbortSignal): Promise<AppError> {
  const { data } = await prometheus.ask(namesAnswer, '/api/v1/label/__name__/values', { signal });
  const words = metric
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(({ length }) => length > 3);
  const alike = data.filter((name) => words.some((word) => name.toLowerCase().includes(word)));
  const near = nearestNames(metric, [...alike, ...data].slice(0, MOST_COMPARED));
  const meant = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  return new AppError(
    'not_found',
    `There is no metric ${shortened(metric, 200)}.${meant} prometheus_list_metrics finds names.`,
  );
}
