import type { Metric } from 'prom-client';
import type { Gauge } from '../host/gauge.ts';
import type { Health } from '../kernel/health.ts';
import { type CallMetrics, durationBounds, type ToolRecord } from './call-metrics.ts';

/** What the rest of the system reports at each scrape. */
export interface Readings {
  readonly version: string;
  ready(): boolean;
  sessions(): number;
  refused(): Iterable<readonly [status: number, count: number]>;
  eventsDropped(): number;
  storeBytes(): Promise<number>;
  /** Health of every part. */
  health(): readonly Health[];
  gauges(): Promise<readonly Gauge[]>;
}

interface Value {
  value: number;
  labels?: Record<string, string | number>;
  /** Set if it differs from the metric's name: `_bucket`, `_sum`, `_count`. */
  metricName?: string;
}

export interface MetricsPage {
  readonly contentType: string;
  text(): Promise<string>;
}

/** All metrics in the Prometheus text format. The library is loaded at the first request. */
export async function createMetricsPage(calls: CallMetrics, readings: Readings): Promise<MetricsPage> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  // The event loop monitor ticks this often, whether or not anybody scrapes.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
  // Gauges whose names end like counters: promtool objects, and the same numbers exist without `_total`.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`);

  type Kind = 'counter' | 'gauge' | 'histogram' | 'summary';
  const add = (type: Kind, name: string, help: string, read: () => Value[] | Promise<Value[]>) => {
    const metric = { name, help, type, aggregator: 'sum' };
    // The registry needs nothing else of a metric. The library's own metrics store their values themselves.
    registry.registerMetric({ ...metric, get: async () => ({ ...metric, values: await read() }) } as unknown as Metric);
  };
  const tools = () => [...calls.records()];
  const perTool = ({ source, tool }: ToolRecord) => ({ source, tool });

  add('counter', 'sluice_tool_calls_total', 'Finished tool calls', () =>
    tools().flatMap((record) => [
      { value: record.completed, labels: { ...perTool(record), status: 'success' } },
      ...(record.unconfirmed > 0
        ? [{ value: record.unconfirmed, labels: { ...perTool(record), status: 'unconfirmed' } }]
        : []),
      { value: record.failed, labels: { ...perTool(record), status: 'failure' } },
    ]),
  );
  add('counter', 'sluice_tool_call_errors_total', 'Failed tool calls by reason code', () =>
    tools().flatMap((record) =>
      [...record.reasons].map(([reason, value]) => ({ value, labels: { ...perTool(record), reason } })),
    ),
  );
  add('histogram', 'sluice_tool_call_duration_seconds', 'Duration of tool calls', () =>
    tools().flatMap((record) => histogram('sluice_tool_call_duration_seconds', record)),
  );
  add('summary', 'sluice_tool_result_bytes', 'Size of the results of relayed calls', () =>
    tools()
      .filter(({ sized }) => sized > 0)
      .flatMap((record) => [
        { value: record.totalBytes, labels: perTool(record), metricName: 'sluice_tool_result_bytes_sum' },
        { value: record.sized, labels: perTool(record), metricName: 'sluice_tool_result_bytes_count' },
      ]),
  );
  add('gauge', 'sluice_tool_calls_in_flight', 'Tool calls in flight', () => inFlight(tools()));

  add('gauge', 'sluice_ready', '1 once every server has tried to start', () => [{ value: Number(readings.ready()) }]);
  add('gauge', 'sluice_part_up', '1 if a part other than a server works: n8n, bridge, store, webhooks', () =>
    readings
      .health()
      .filter(({ state }) => state !== 'off')
      .map(({ name, kind, state }) => ({ value: Number(state === 'ready'), labels: { part: name, kind } })),
  );
  add('gauge', 'sluice_sessions', 'Open sessions', () => [{ value: readings.sessions() }]);
  add('counter', 'sluice_requests_refused_total', 'Refused requests', () =>
    [...readings.refused()].map(([status, value]) => ({ value, labels: { status } })),
  );
  add('counter', 'sluice_events_dropped_total', 'Events that could not be stored', () => [
    { value: readings.eventsDropped() },
  ]);
  add('gauge', 'sluice_store_size_bytes', 'Size of the database', async () => [{ value: await readings.storeBytes() }]);
  add('gauge', 'sluice_build_info', 'Always 1; the labels say what is running', () => [
    { value: 1, labels: { version: readings.version, node: process.version } },
  ]);

  let read = new Map<string, Gauge>();
  return {
    contentType: registry.contentType,
    async text() {
      const gauges = await readings.gauges();
      for (const { name, help, type } of gauges)
        if (!registry.getSingleMetric(name)) add(type, name, help, () => [...(read.get(name)?.values ?? [])]);
      read = new Map(gauges.map((gauge) => [gauge.name, gauge]));
      return registry.metrics();
    },
  };
}

function histogram(name: string, record: ToolRecord): Value[] {
  const labels = { source: record.source, tool: record.tool };
  let count = 0;
  const buckets = [...record.durations].map((inside, index) => {
    count += inside;
    const bound = durationBounds[index];
    return {
      value: count,
      labels: { le: bound === undefined ? '+Inf' : bound / 1000, ...labels },
      metricName: `${name}_bucket`,
    };
  });
  return [
    ...buckets,
    { value: record.totalMs / 1000, labels, metricName: `${name}_sum` },
    { value: count, labels, metricName: `${name}_count` },
  ];
}

function inFlight(records: readonly ToolRecord[]): Value[] {
  const bySource = new Map<string, number>();
  for (const record of records) bySource.set(record.source, (bySource.get(record.source) ?? 0) + record.inFlight);
  return [...bySource].map(([source, value]) => ({ value, labels: { source } }));
}
