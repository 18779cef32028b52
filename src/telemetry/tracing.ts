import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { CallObserver } from '../kernel/call.ts';
import type { Tracer } from '../kernel/tracing.ts';
import { createSpans } from './spans.ts';
import { isSampled, type TracingSettings } from './tracing-settings.ts';

export interface Tracing extends Tracer, AsyncDisposable {
  readonly observer: CallObserver;
}

/** However slow the receiver is, the gateway stops. */
const LAST_FLUSH_MS = 3000;

/** Sends spans by OTLP. Everything it needs is loaded here, and nowhere where there is no receiver. */
export async function startTracing(
  settings: TracingSettings,
  { version, redact, tell }: { version: string; redact(text: string): string; tell(message: string): void },
): Promise<Tracing> {
  const [{ BatchSpanProcessor }, { resourceFromAttributes }, exporter] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    exporterFor(settings),
  ]);
  const { delayMs, queue, size, timeoutMs } = settings.batch;
  const batches = new BatchSpanProcessor({
    exporter: watched(exporter, new URL(settings.url).origin, tell),
    scheduledDelayMillis: delayMs,
    maxQueueSize: queue,
    maxExportBatchSize: size,
    exportTimeoutMillis: timeoutMs,
  });
  const spans = createSpans({
    ended: (span) => batches.onEnd(span),
    isSampled: (trace) => isSampled(settings.sampler, trace),
    redact,
    resource: resourceFromAttributes(settings.attributes),
    scope: { name: 'sluice', version },
  });
  return {
    ...spans,
    async [Symbol.asyncDispose]() {
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LAST_FLUSH_MS);
      });
      // A failure has been told by then.
      await Promise.race([batches.shutdown().catch(() => {}), enough]);
      clearTimeout(timer);
    },
  };
}

async function exporterFor(settings: TracingSettings): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    settings.protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  const { url, headers, timeoutMs, gzip } = settings;
  const options: ConstructorParameters<typeof OTLPTraceExporter>[0] = { url, headers, timeoutMillis: timeoutMs };
  // The library's own enumeration would have to be loaded for one word.
  return new OTLPTraceExporter(gzip ? Object.assign(options, { compression: 'gzip' }) : options);
}

/** Says once that spans do not get through, and once that they do again. */
function watched(exporter: SpanExporter, origin: string, tell: (message: string) => void): SpanExporter {
  let failing = false;
  return {
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !failing)
          tell(`Traces cannot be sent to ${origin} and are lost until they can: ${result.error?.message}`);
        else if (!failed && failing) tell(`Traces are sent to ${origin} again.`);
        failing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
