import type { HostOf, OpenPart } from '../host/part.ts';
import { openMetrics } from './metrics.ts';
import type { telemetrySettings } from './settings.ts';
import type { Tracing } from './tracing.ts';
import { readTracing } from './tracing-settings.ts';

export interface Telemetry {
  /** Absent where nobody collects traces. */
  readonly tracer: Tracing | undefined;
  /** A request was not let in. */
  refused(status: number): void;
}

/** Each costs nothing where it is off. */
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
