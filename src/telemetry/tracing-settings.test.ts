import { describe, expect, test } from 'vitest';
import { isSampled, readTracing } from './tracing-settings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
const read = (env: Record<string, string>) => readTracing(env, '1.2.3');

describe('nothing is sent', () => {
  test.each([
    ['without an endpoint', {}],
    ['with only a name and attributes', { OTEL_SERVICE_NAME: 'x', OTEL_RESOURCE_ATTRIBUTES: 'a=b' }],
    ['when the SDK is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'true' }],
    ['when no exporter is wanted', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
    ['when the endpoint is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  ])('%s', (_, env) => {
    expect(read(env)).toEqual({ problems: [] });
  });

  test.each([
    ['by gRPC', { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /grpc is not supported.*http\/protobuf/],
    ['to an invalid URL', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, /not an http or https URL/],
    ['to another exporter', { ...endpoint, OTEL_TRACES_EXPORTER: 'zipkin' }, /zipkin.*only otlp/],
  ])('%s, and the problem is reported', (_, env, words) => {
    const { settings, problems } = read(env);
    expect(settings).toBeUndefined();
    expect(problems).toEqual([expect.stringMatching(words)]);
  });
});

describe('where and how it is sent', () => {
  test('the general endpoint gets the path of traces', () => {
    expect(read(endpoint).settings).toMatchObject({
      url: 'http://127.0.0.1:4318/v1/traces',
      protocol: 'http/protobuf',
      attributes: { 'service.name': 'sluice', 'service.version': '1.2.3' },
      sampler: { parentBased: true, ratio: 1 },
      batch: { delayMs: 5000, queue: 2048, size: 512, timeoutMs: 30_000 },
    });
  });

  test('the endpoint for traces is used unchanged, and variables for traces win', () => {
    const { settings, problems } = read({
      ...endpoint,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/custom',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=general',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=Bearer%20abc, x-team = ops',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_TIMEOUT: '1500',
    });
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({
      url: 'https://traces.example.com/custom',
      protocol: 'http/json',
      headers: { authorization: 'Bearer abc', 'x-team': 'ops' },
      gzip: true,
      timeoutMs: 1500,
    });
  });

  test('the service has the configured name', () => {
    const attributes = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=from-attributes,deployment.environment=prod%20eu' };
    expect(read({ ...endpoint, ...attributes }).settings?.attributes).toEqual({
      'service.name': 'from-attributes',
      'service.version': '1.2.3',
      'deployment.environment': 'prod eu',
    });
    const named = read({ ...endpoint, ...attributes, OTEL_SERVICE_NAME: 'named' });
    expect(named.settings?.attributes).toMatchObject({ 'service.name': 'named' });
  });

  test('a wrong number is reported, and the default used', () => {
    const { settings, problems } = read({
      ...endpoint,
      OTEL_BSP_SCHEDULE_DELAY: 'soon',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
    });
    expect(settings?.batch).toMatchObject({ delayMs: 5000, queue: 100, size: 100 });
    expect(problems).toEqual([expect.stringContaining('OTEL_BSP_SCHEDULE_DELAY')]);
  });
});

describe('sampling', () => {
  const samplerOf = (name: string, argument?: string) => {
    const given = { ...endpoint, OTEL_TRACES_SAMPLER: name, ...(argument && { OTEL_TRACES_SAMPLER_ARG: argument }) };
    const { settings, problems } = read(given);
    return { sampler: settings?.sampler ?? { parentBased: false, ratio: -1 }, problems };
  };
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const begun = { traceId, sampled: true };
  const kept = { ...begun, parentId: '00f067aa0ba902b7' };
  const dropped = { ...kept, sampled: false };

  test.each([
    ['always_on', [true, true, true]],
    ['always_off', [false, false, false]],
    ['parentbased_always_on', [true, true, false]],
    ['parentbased_always_off', [false, true, false]],
  ])('%s', (name, expected) => {
    const { sampler, problems } = samplerOf(name);
    expect([begun, kept, dropped].map((trace) => isSampled(sampler, trace))).toEqual(expected);
    expect(problems).toEqual([]);
  });

  test('keeps a share of the traces, the same ones each time', () => {
    const { sampler } = samplerOf('parentbased_traceidratio', '0.25');
    const ids = Array.from({ length: 4000 }, () => crypto.randomUUID().replaceAll('-', ''));
    const keep = (id: string) => isSampled(sampler, { traceId: id, sampled: true });
    const share = ids.filter(keep).length / ids.length;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.3);
    expect(ids.map(keep)).toEqual(ids.map(keep));
    expect(isSampled(sampler, kept)).toBe(true);
  });

  test.each([
    ['an unknown sampler', 'jaeger_remote', undefined],
    ['a ratio above one', 'traceidratio', '7'],
  ])('%s is reported, and every trace kept', (_, name, argument) => {
    const { sampler, problems } = samplerOf(name, argument);
    expect(problems).toHaveLength(1);
    expect(isSampled(sampler, begun)).toBe(true);
  });
});
