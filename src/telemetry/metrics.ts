import type { CallObserver } from '../kernel/call.ts';
import type { Part } from '../kernel/part.ts';
import { createCallMetrics } from './call-metrics.ts';
import { createMetricsPage, type Readings } from './metrics-page.ts';

export interface MetricsSettings {
  /** Whether they can be read without a key. */
  readonly public: boolean;
  /** How many tools are told apart. */
  readonly maxTools: number;
}

export interface MetricsPart extends Part {
  readonly observers: readonly [CallObserver];
  /** A request was not let in. */
  refused(status: number): void;
}

/** What is counted, and `GET /metrics` for a Prometheus that comes to read it. */
export function metricsPart(settings: () => MetricsSettings, readings: Omit<Readings, 'refused'>): MetricsPart {
  const calls = createCallMetrics({ maxTools: settings().maxTools });
  const refused = new Map<number, number>();
  let page: ReturnType<typeof createMetricsPage> | undefined;
  return {
    name: 'metrics',
    sources: [],
    observers: [calls.observer],
    refused: (status) => void refused.set(status, (refused.get(status) ?? 0) + 1),
    routes: [
      {
        path: '/metrics',
        // Read at each request: the configuration may change.
        get scope() {
          return settings().public ? 'public' : 'health:check';
        },
        ofEverybody: true,
        openapi: {
          operationId: 'getMetrics',
          tags: ['health'],
          summary: 'Metrics for Prometheus',
          responses: {
            200: {
              description: 'The metrics, in the text format of Prometheus',
              content: { 'text/plain': { schema: { type: 'string' } } },
            },
          },
        },
        async handle() {
          page ??= createMetricsPage(calls, { ...readings, refused: () => refused });
          const { contentType, text } = await page;
          return new Response(await text(), { headers: { 'content-type': contentType } });
        },
      },
    ],
  };
}
