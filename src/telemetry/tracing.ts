import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { CallObserver } from '../kernel/call.ts';
import type { Tracer } from '../kernel/tracing.ts';
import { createSpans } from './spans.ts';
import { isSampled, type TracingSettings } from './tracing-settings.ts';

export interface Tracing extends Tracer, AsyncDisposable {
  readonly observer: CallObserver;
}

/** Bounds the last flush, so that a slow receiver does not keep the gateway from stopping. */
const LAST_FLUSH_MS = 3000;

/** Sends spans by OTLP. Its libraries are loaded here, and only if there is a receiver. */
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
      // A failure was reported already.
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
  // A literal, because loading the library's enumeration for one word is not worth it.
  return new OTLPTraceExporter(gzip ? Object.assign(options, { compression: 'gzip' }) : options);
}

/** Reports once that spans do not get through, and once that they do again. */
function watched(exporter: SpanExporter, origin: string, tell: (message: string) => void): SpanExporter {
  let failing = false;
  return {
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !failing)
          tell(`Cannot send traces to ${origin}; they are lost until it works again: ${result.error?.message}`);
        else if (!failed && failing) tell(`Sending traces to ${origin} works again.`);
        failing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
