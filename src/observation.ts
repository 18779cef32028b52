import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Env, Loaded } from './host/config/load.ts';
import type { CallObserver } from './kernel/call.ts';
import { type Log, type LogOptions, openLog } from './host/log/log.ts';
import { metricsPart, type MetricsPart } from './telemetry/metrics.ts';
import type { Readings } from './telemetry/metrics-page.ts';
import { findExposed } from './telemetry/permissions.ts';
import type { Tracing } from './telemetry/tracing.ts';
import { readTracing } from './telemetry/tracing-settings.ts';
import { version } from './version.ts';

export interface ObservationOptions {
  env: Env;
  home: string;
  config(): Loaded['config'];
  redact(text: string): string;
  log: Log | undefined;
  readings: Pick<Readings, 'ready' | 'sessions' | 'backends' | 'eventsDropped' | 'outbox' | 'parts'>;
}

export interface Observation extends AsyncDisposable {
  readonly observers: readonly CallObserver[];
  /** Absent where they are switched off. */
  readonly metrics: MetricsPart | undefined;
  /** Absent where nobody collects traces. */
  readonly tracer: Tracing | undefined;
}

/** What watches the gateway, put together: metrics and traces. Each costs nothing where it is off. */
export async function openObservation(options: ObservationOptions): Promise<Observation> {
  const { config, redact, log } = options;
  const metrics = config().metrics.enabled
    ? metricsPart(() => config().metrics, {
        ...options.readings,
        version,
        storeBytes: () => storeBytes(options.home),
      })
    : undefined;
  const { settings, problems } = readTracing(options.env, version);
  for (const problem of problems) log?.write('warn', problem);
  let tracer: Tracing | undefined;
  if (settings) {
    const { startTracing } = await import('./telemetry/tracing.ts');
    tracer = await startTracing(settings, { version, redact, tell: (message) => log?.write('warn', message) });
  }
  return {
    observers: [...(metrics?.observers ?? []), ...(tracer ? [tracer.observer] : [])],
    metrics,
    tracer,
    async [Symbol.asyncDispose]() {
      await tracer?.[Symbol.asyncDispose]();
    },
  };
}

async function storeBytes(home: string): Promise<number> {
  const files = ['sluice.db', 'sluice.db-wal'].map((name) => stat(join(home, name)).catch(() => undefined));
  return (await Promise.all(files)).reduce((sum, file) => sum + (file?.size ?? 0), 0);
}

/** Where a command that serves writes its log: lines for a person where one is looking. */
export function logStyle(env: Env): Pick<LogOptions, 'pretty' | 'colour'> {
  const pretty = process.stderr.isTTY;
  return { pretty, colour: pretty && !env.NO_COLOR && env.TERM !== 'dumb' };
}

/** A log that also has what the runtime itself says: warnings, and the error the program ends with. */
export function openServerLog(options: LogOptions): Log {
  const log = openLog(options);
  // Node's own listener would write them to stderr a second time, between our lines.
  const before = process.listeners('warning');
  const warned = (warning: Error) => log.write('warn', warning.message, { warning: warning.name });
  process.removeAllListeners('warning');
  process.on('warning', warned);
  const crashed = (error: unknown) => {
    log.write('error', 'Sluice ends because of an unforeseen error', {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    log[Symbol.dispose]();
    // Node would print it as it is, with whatever is in it.
    process.exit(1);
  };
  process.on('uncaughtException', crashed);
  return {
    ...log,
    [Symbol.dispose]() {
      process.off('warning', warned);
      process.off('uncaughtException', crashed);
      for (const listener of before) process.on('warning', listener);
      log[Symbol.dispose]();
    },
  };
}

/** Tells of files with secrets in them that others could open. */
export async function warnOfExposed(log: Log, home: string, { file, paths, secrets }: Loaded): Promise<void> {
  const dotenv = paths[1];
  const places = { home, secrets, ...(file !== undefined && { file }), ...(dotenv !== undefined && { dotenv }) };
  for (const { path, problem, fix } of await findExposed(places)) {
    log.write('warn', `${path} ${problem}. Close it: ${fix}`);
  }
}
