/** The trace settings in the standard OTEL_ variables. */
export interface TracingSettings {
  readonly url: string;
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly headers: Readonly<Record<string, string>>;
  readonly gzip: boolean;
  readonly timeoutMs: number;
  /** Resource attributes: who sends the traces. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly sampler: Sampler;
  readonly batch: {
    readonly delayMs: number;
    readonly queue: number;
    readonly size: number;
    readonly timeoutMs: number;
  };
}

export interface Sampler {
  /** Whether to follow the caller's decision if it made one. */
  readonly parentBased: boolean;
  /** The share of traces started here to keep, from 0 to 1. */
  readonly ratio: number;
}

type Env = Readonly<Record<string, string | undefined>>;

export interface ReadTracing {
  /** Absent if traces were not requested. */
  readonly settings?: TracingSettings;
  /** Settings that cannot be used. As OpenTelemetry requires, a wrong variable never stops the program. */
  readonly problems: readonly string[];
}

/** Reads the standard OpenTelemetry variables. Without an endpoint nothing is sent anywhere. */
export function readTracing(env: Env, version: string): ReadTracing {
  const problems: string[] = [];
  const given = (name: string) => env[name]?.trim() || undefined;
  const forTraces = (name: string) => given(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? given(`OTEL_EXPORTER_OTLP_${name}`);

  const number = (value: string | undefined, name: string, fallback: number): number => {
    if (value === undefined) return fallback;
    if (/^\d+$/.test(value) && Number(value) > 0) return Number(value);
    problems.push(`${name} is not a number above 0. Using ${fallback}.`);
    return fallback;
  };

  const exporter = given('OTEL_TRACES_EXPORTER');
  const asked = forTraces('ENDPOINT') !== undefined || exporter === 'otlp';
  if (!asked || exporter === 'none' || given('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return { problems };
  if (exporter !== undefined && exporter !== 'otlp')
    return { problems: [`OTEL_TRACES_EXPORTER is ${exporter}, but only otlp is supported. No traces are sent.`] };

  const url = given('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? pathAdded(given('OTEL_EXPORTER_OTLP_ENDPOINT'));
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    return {
      problems: [
        'The OTLP endpoint is not an http or https URL, for example http://127.0.0.1:4318. No traces are sent.',
      ],
    };
  const protocol = forTraces('PROTOCOL') ?? 'http/protobuf';
  if (protocol !== 'http/protobuf' && protocol !== 'http/json') {
    const advice = 'Set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf, which collectors accept on port 4318.';
    return { problems: [`OTLP over ${protocol} is not supported. No traces are sent. ${advice}`] };
  }
  const attributes = {
    'service.version': version,
    ...pairs(given('OTEL_RESOURCE_ATTRIBUTES')),
  };
  const serviceName = given('OTEL_SERVICE_NAME') ?? attributes['service.name' as keyof typeof attributes] ?? 'sluice';
  const queue = number(given('OTEL_BSP_MAX_QUEUE_SIZE'), 'OTEL_BSP_MAX_QUEUE_SIZE', 2048);
  const size = number(given('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'), 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512);
  const settings: TracingSettings = {
    url,
    protocol,
    headers: pairs(forTraces('HEADERS')),
    gzip: forTraces('COMPRESSION') === 'gzip',
    timeoutMs: number(forTraces('TIMEOUT'), 'OTEL_EXPORTER_OTLP_TIMEOUT', 10_000),
    attributes: { ...attributes, 'service.name': serviceName },
    sampler: samplerOf(given('OTEL_TRACES_SAMPLER'), given('OTEL_TRACES_SAMPLER_ARG'), problems),
    batch: {
      delayMs: number(given('OTEL_BSP_SCHEDULE_DELAY'), 'OTEL_BSP_SCHEDULE_DELAY', 5000),
      queue,
      size: Math.min(size, queue),
      timeoutMs: number(given('OTEL_BSP_EXPORT_TIMEOUT'), 'OTEL_BSP_EXPORT_TIMEOUT', 30_000),
    },
  };
  return { settings, problems };
}

function pathAdded(endpoint = 'http://localhost:4318'): string {
  return `${endpoint.replace(/\/$/, '')}/v1/traces`;
}

/** Parses `a=1,b=2` with percent-encoded values. */
function pairs(text: string | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  for (const pair of text?.split(',') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0) found[pair.slice(0, at).trim()] = decoded(pair.slice(at + 1).trim());
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function samplerOf(name = 'parentbased_always_on', argument: string | undefined, problems: string[]): Sampler {
  const parentBased = name.startsWith('parentbased_');
  const kind = parentBased ? name.slice('parentbased_'.length) : name;
  if (kind === 'always_on') return { parentBased, ratio: 1 };
  if (kind === 'always_off') return { parentBased, ratio: 0 };
  if (kind !== 'traceidratio') {
    problems.push(`Unknown OTEL_TRACES_SAMPLER ${name}. Using parentbased_always_on.`);
    return { parentBased: true, ratio: 1 };
  }
  const ratio = argument === undefined ? 1 : Number(argument);
  if (ratio >= 0 && ratio <= 1) return { parentBased, ratio };
  problems.push('OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1. Every trace is kept.');
  return { parentBased, ratio: 1 };
}

/** Whether a trace is kept. Programs that use the trace id and the same ratio decide the same way. */
export function isSampled(
  { parentBased, ratio }: Sampler,
  trace: { traceId: string; parentId?: string; sampled: boolean },
) {
  if (parentBased && trace.parentId !== undefined) return trace.sampled;
  if (ratio >= 1) return true;
  // The last 56 bits are random (W3C Trace Context, level 2); 52 of them fit into a number.
  return Number.parseInt(trace.traceId.slice(-13), 16) / 2 ** 52 >= 1 - ratio;
}
