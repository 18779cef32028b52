import type { HostOf, OpenPart } from '../host/part.ts';
import { openMetrics } from './metrics.ts';
import type { telemetrySettings } from './settings.ts';
import type { Tracing } from './tracing.ts';
import { readTracing } from './tracing-settings.ts';

export interface Telemetry {
  /** Absent if traces are not collected. */
  readonly tracer: Tracing | undefined;
  /** Counts a refused request. */
  refused(status: number): void;
}

/** Metrics and traces cost nothing when they are off. */
export async function openTelemetry(host: HostOf<typeof telemetrySettings>): Promise<OpenPart<Telemetry>> {
  const { log, version, redact } = host;
  const metrics = host.settings().metrics.enabled ? openMetrics(host) : undefined;
  const { settings, problems } = readTracing(host.env, version);
  for (const problem of problems) log?.write('warn', problem);
  const tracer = settings && (await traces(settings));

  async function traces(wanted: NonNullable<typeof settings>): Promise<Tracing> {
    const { startTracing } = await import('./tracing.ts');
    return startTracing(wanted, { version, redact, tell: (message) => log?.write('warn', message) });
  }

  return {
    api: { tracer, refused: (status) => metrics?.refused(status) },
    observers: [...(metrics ? [metrics.observer] : []), ...(tracer ? [tracer.observer] : [])],
    routes: metrics ? [metrics.route] : [],
    async [Symbol.asyncDispose]() {
      await tracer?.[Symbol.asyncDispose]();
    },
  };
}
