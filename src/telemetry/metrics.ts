import { late } from '../kernel/late.ts';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostOf } from '../host/part.ts';
import type { CallObserver } from '../kernel/call.ts';
import type { Route } from '../kernel/route.ts';
import { createCallMetrics } from './call-metrics.ts';
import type { telemetrySettings } from './settings.ts';

export interface Metrics {
  readonly observer: CallObserver;
  readonly route: Route;
  /** Counts a refused request. */
  refused(status: number): void;
}

/** Counts calls, and serves `GET /metrics` for Prometheus. */
export function openMetrics(host: HostOf<typeof telemetrySettings>): Metrics {
  const settings = () => host.settings().metrics;
  const calls = createCallMetrics({ maxTools: settings().maxTools });
  const refused = new Map<number, number>();
  const page = late(async () => {
    const { createMetricsPage } = await import('./metrics-page.ts');
    return createMetricsPage(calls, {
      version: host.version,
      ready: host.isSettled,
      sessions: host.sessions,
      refused: () => refused,
      eventsDropped: host.events.dropped,
      health: host.all.health,
      gauges: host.all.gauges,
      storeBytes: () => storeBytes(host.home),
    });
  });
  return {
    observer: calls.observer,
    refused: (status) => void refused.set(status, (refused.get(status) ?? 0) + 1),
    route: {
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
            description: 'Metrics in the Prometheus text format',
            content: { 'text/plain': { schema: { type: 'string' } } },
          },
        },
      },
      async handle() {
        const { contentType, text } = await page();
        return new Response(await text(), { headers: { 'content-type': contentType } });
      },
    },
  };
}

async function storeBytes(home: string): Promise<number> {
  const files = ['sluice.db', 'sluice.db-wal'].map((name) => stat(join(home, name)).catch(() => undefined));
  return (await Promise.all(files)).reduce((sum, file) => sum + (file?.size ?? 0), 0);
}
