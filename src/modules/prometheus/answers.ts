/** What the API answers: only what the tools use. Servers that speak the same API leave some of it out. */
import { z } from 'zod';

export interface Answer<T> {
  readonly data: T;
  /** Warnings and hints about the answer. */
  readonly warnings: readonly string[];
}

const notes = z.array(z.string()).nullish();

function answerOf<T extends z.ZodType>(data: T) {
  return z.object({ status: z.literal('success'), data, warnings: notes, infos: notes }).transform(
    (answer): Answer<z.output<T>> => ({
      data: (answer as { data: z.output<T> }).data,
      warnings: [...(answer.warnings ?? []), ...(answer.infos ?? [])],
    }),
  );
}

/** Go writes an empty list as null. */
const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((list) => list ?? []);

const labels = z.record(z.string(), z.string());
const some = labels.nullish().transform((given) => given ?? {});
const point = z.tuple([z.number(), z.string()]);
const histogram = z.object({
  count: z.string(),
  sum: z.string(),
  buckets: z.array(z.tuple([z.number(), z.string(), z.string(), z.string()])).nullish(),
});
const histogramPoint = z.tuple([z.number(), histogram]);

export type Histogram = z.output<typeof histogram>;

const vector = z.object({ metric: labels, value: point.optional(), histogram: histogramPoint.optional() });
const matrix = z.object({
  metric: labels,
  values: z.array(point).optional(),
  histograms: z.array(histogramPoint).optional(),
});

export type VectorSample = z.output<typeof vector>;
export type MatrixSeries = z.output<typeof matrix>;

const result = z.discriminatedUnion('resultType', [
  z.object({ resultType: z.literal('vector'), result: listOf(vector) }),
  z.object({ resultType: z.literal('matrix'), result: listOf(matrix) }),
  z.object({ resultType: z.literal('scalar'), result: point }),
  z.object({ resultType: z.literal('string'), result: point }),
]);

export const queryAnswer = answerOf(result);
export const namesAnswer = answerOf(listOf(z.string()));
export const seriesAnswer = answerOf(listOf(labels));

const metadata = z.object({
  type: z.string().default('unknown'),
  help: z.string().default(''),
  unit: z.string().optional(),
});
export type Metadata = z.output<typeof metadata>;
export const metadataAnswer = answerOf(
  z
    .record(z.string(), z.array(metadata))
    .nullish()
    .transform((given) => new Map(Object.entries(given ?? {}).map(([name, [first]]) => [name, first]))),
);

const target = z.object({
  labels: some,
  scrapePool: z.string().optional(),
  scrapeUrl: z.string().default(''),
  health: z.string().default('unknown'),
  lastError: z.string().default(''),
  lastScrape: z.string().optional(),
  lastScrapeDuration: z.number().optional(),
});
export type Target = z.output<typeof target>;
export const targetsAnswer = answerOf(
  z.object({ activeTargets: listOf(target), droppedTargets: listOf(z.object({ discoveredLabels: some })) }),
);

const alert = z.object({
  labels: some,
  annotations: some,
  state: z.string(),
  activeAt: z.string().nullish(),
  value: z.string().nullish(),
});
export const alertsAnswer = answerOf(z.object({ alerts: listOf(alert) }));

const rule = z.object({
  name: z.string(),
  type: z.string(),
  query: z.string().default(''),
  health: z.string().default('unknown'),
  lastError: z.string().nullish(),
  lastEvaluation: z.string().nullish(),
  evaluationTime: z.number().nullish(),
  state: z.string().nullish(),
  duration: z.number().nullish(),
  labels: some,
  annotations: some,
  alerts: listOf(z.object({ state: z.string() })),
});
export type Rule = z.output<typeof rule>;
export const rulesAnswer = answerOf(
  z.object({
    groups: listOf(
      z.object({ name: z.string(), file: z.string().optional(), interval: z.number().optional(), rules: listOf(rule) }),
    ),
  }),
);

const counts = listOf(z.object({ name: z.string(), value: z.number() }));
export const tsdbAnswer = answerOf(
  z.object({
    headStats: z
      .object({
        numSeries: z.number().optional(),
        chunkCount: z.number().optional(),
        minTime: z.number().optional(),
        maxTime: z.number().optional(),
      })
      .optional(),
    seriesCountByMetricName: counts,
    labelValueCountByLabelName: counts,
    seriesCountByLabelValuePair: counts,
  }),
);
export const buildAnswer = answerOf(
  z.object({ version: z.string().optional(), revision: z.string().optional(), application: z.string().optional() }),
);
export const runtimeAnswer = answerOf(
  z.object({
    startTime: z.string().optional(),
    storageRetention: z.string().optional(),
    reloadConfigSuccess: z.boolean().optional(),
    lastConfigTime: z.string().optional(),
    corruptionCount: z.number().optional(),
    goroutineCount: z.number().optional(),
  }),
);
export const flagsAnswer = answerOf(labels);
export const configAnswer = answerOf(z.object({ yaml: z.string() }));
export const alertmanagersAnswer = answerOf(
  z.object({
    activeAlertmanagers: listOf(z.object({ url: z.string() })),
    droppedAlertmanagers: listOf(z.object({ url: z.string() })),
  }),
);
