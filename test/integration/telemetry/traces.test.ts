import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callTool, connectV2, type Json, modern, rpc, send, startReference, textOf } from '../harness.ts';
import { serve, type ServeProcess } from '../../support/serve-process.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../../support/otlp-receiver.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const SERVER = 2;
const CLIENT = 3;

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-traces-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const to = ({ url }: OtlpReceiver, more: Record<string, string> = {}) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '50',
  ...more,
});

function traced(config: object, env: Record<string, string>): Promise<ServeProcess> {
  return serve(directory, config, { env });
}

/** Waits until a trace has this many spans, and returns them. */
async function spansOf({ spans }: OtlpReceiver, traceId: string, count: number): Promise<ReceivedSpan[]> {
  const found = () => spans.filter((span) => span.traceId === traceId);
  await expect.poll(() => found().length).toBe(count);
  return found().sort((a, b) => (a.start < b.start ? -1 : 1));
}

const carried = (flag: '00' | '01' = '01') => ({ traceparent: `00-${TRACE}-${SPAN}-${flag}`, tracestate: 'acme=1' });

describe.each(['http/protobuf', 'http/json'])('a call, sent by %s', (protocol) => {
  test('is one trace from the client through Sluice to the backend', async () => {
    await using receiver = await startOtlpReceiver();
    await using reference = await startReference('http', 'modern');
    await using gateway = await traced(
      { mcpServers: { ref: reference.entry } },
      to(receiver, {
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_SERVICE_NAME: 'gateway-under-test',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-secret',
        OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      }),
    );
    await gateway.ready();
    await using client = await connectV2(gateway, { era: 'modern' });
    const called = await client.callTool({ name: 'ref__whoami', arguments: {}, _meta: carried() });
    const [server, upstream] = await spansOf(receiver, TRACE, 2);

    expect(server).toMatchObject({
      name: 'tools/call ref__whoami',
      kind: SERVER,
      parentSpanId: SPAN,
      traceState: 'acme=1',
      status: 0,
      scope: 'sluice',
      resource: { 'service.name': 'gateway-under-test', 'deployment.environment': 'test' },
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'ref__whoami',
        'mcp.protocol.version': '2026-07-28',
        'network.transport': 'tcp',
        'jsonrpc.request.id': expect.stringMatching(/^\d+$/) as string,
        'sluice.source': 'ref',
      },
    });
    expect(upstream).toMatchObject({
      name: 'tools/call whoami',
      kind: CLIENT,
      parentSpanId: server?.spanId,
      status: 0,
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': 'whoami',
        'sluice.backend': 'ref',
        'network.transport': 'tcp',
        'server.address': '127.0.0.1',
        'server.port': Number(new URL(reference.entry.url).port),
      },
    });
    const told = `00-${TRACE}-${upstream?.spanId}-01`;
    const seen = JSON.parse(textOf(called)) as { _meta: Json; headers: Json };
    expect(seen._meta.traceparent, 'the backend hears of the span that called it').toBe(told);
    expect(seen.headers).toMatchObject({ traceparent: told, tracestate: 'acme=1' });
    expect((server?.end ?? 0n) >= (upstream?.end ?? 0n) && (server?.start ?? 0n) <= (upstream?.start ?? 0n)).toBe(true);
    expect(receiver.requests[0]).toMatchObject({
      path: '/v1/traces',
      headers: { authorization: 'Bearer collector-secret', 'content-encoding': 'gzip' },
    });
  });
});

test('every method has a span with its subject', async () => {
  await using receiver = await startOtlpReceiver();
  await using reference = await startReference('stdio', 'legacy');
  await using gateway = await traced({ mcpServers: { ref: reference.entry } }, to(receiver));
  await gateway.ready();
  await using client = await connectV2(gateway);
  await client.listTools();
  const { prompts } = await client.listPrompts();
  const { resources } = await client.listResources();
  await client.readResource({ uri: resources[0]?.uri as string });
  const simple = prompts.find(({ arguments: given = [] }) => given.every(({ required }) => !required));
  await client.getPrompt({ name: simple?.name as string });
  const named = (name: string) => receiver.spans.filter((span) => span.name === name);
  await expect.poll(() => named(`prompts/get ${simple?.name}`).length).toBe(1);
  const session = named('initialize')[0]?.attributes['mcp.session.id'];
  expect(session).toEqual(expect.any(String));
  for (const name of ['tools/list', 'prompts/list', 'resources/list', 'resources/read'])
    expect(named(name).find(({ kind }) => kind === SERVER)?.attributes, name).toMatchObject({
      'mcp.method.name': name,
      'mcp.session.id': session,
    });
  expect(named('resources/read').map(({ kind, attributes }) => [kind, attributes['mcp.resource.uri']])).toEqual([
    [CLIENT, resources[0]?.uri],
    [SERVER, resources[0]?.uri],
  ]);
  expect(named('resources/read')[0]?.attributes).toMatchObject({ 'network.transport': 'pipe' });
});

test('a call through a wrapper has a span with the name of the inner tool', async () => {
  await using receiver = await startOtlpReceiver();
  await using reference = await startReference('http', 'legacy');
  await using gateway = await traced({ mcpServers: { ref: reference.entry } }, to(receiver));
  await gateway.ready();
  await using client = await connectV2(gateway, { path: '/mcp?expose=search' });
  await client.callTool({
    name: 'call_tool',
    arguments: { name: 'ref__whoami', arguments: {} },
    _meta: carried(),
  });
  const [server, upstream] = await spansOf(receiver, TRACE, 2);
  expect(server).toMatchObject({ name: 'tools/call ref__whoami', kind: SERVER });
  expect(upstream).toMatchObject({ name: 'tools/call whoami', kind: CLIENT, parentSpanId: server?.spanId });
});

test('a REST call has a span too', async () => {
  await using receiver = await startOtlpReceiver();
  await using reference = await startReference('http', 'legacy');
  await using gateway = await traced({ mcpServers: { ref: reference.entry } }, to(receiver));
  await gateway.ready();
  await send(`${gateway.url}/api/v1/mcp/invoke`, {
    headers: carried(),
    body: { name: 'ref__whoami', arguments: {} },
  });
  const [ours, upstream] = await spansOf(receiver, TRACE, 2);
  expect(ours).toMatchObject({ name: 'tools/call ref__whoami', kind: SERVER, parentSpanId: SPAN });
  expect(upstream).toMatchObject({ name: 'tools/call whoami', kind: CLIENT, parentSpanId: ours?.spanId });
});

test('failed spans have the kind of error, but not its message', async () => {
  await using receiver = await startOtlpReceiver();
  await using reference = await startReference('http', 'legacy');
  await using gateway = await traced({ mcpServers: { ref: reference.entry } }, to(receiver));
  await gateway.ready();
  const post = (method: string, params: Json, traceId: string) => {
    const { headers, body } = modern(method, params);
    return send(`${gateway.url}/mcp`, { headers: { ...headers, traceparent: `00-${traceId}-${SPAN}-01` }, body });
  };
  const [unknownTool, failing, unknownMethod] = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [
    string,
    string,
    string,
  ];
  await post('tools/call', { name: 'canary-tool-name', arguments: { secret: 'canary-argument' } }, unknownTool);
  await post('tools/call', { name: 'gateway_restart_server', arguments: { name: 'canary-server' } }, failing);
  await post('canary/method', {}, unknownMethod);
  expect((await spansOf(receiver, unknownTool, 1))[0]).toMatchObject({
    name: 'tools/call (unknown)',
    status: 2,
    attributes: { 'error.type': '-32602', 'rpc.response.status_code': '-32602' },
  });
  expect((await spansOf(receiver, failing, 1))[0]).toMatchObject({
    name: 'tools/call gateway_restart_server',
    status: 2,
    message: '',
    attributes: { 'error.type': 'tool_error', 'sluice.reason': expect.any(String) as string },
  });
  expect((await spansOf(receiver, unknownMethod, 1))[0]).toMatchObject({ name: 'unknown method', status: 2 });
  expect(receiver.raw()).not.toContain('canary');
});

test('a trace that the caller does not sample is not exported, and the backend sees that decision', async () => {
  await using receiver = await startOtlpReceiver();
  await using reference = await startReference('http', 'legacy');
  await using gateway = await traced({ mcpServers: { ref: reference.entry } }, to(receiver));
  await gateway.ready();
  await using client = await connectV2(gateway);
  const unsampled = await client.callTool({ name: 'ref__whoami', arguments: {}, _meta: carried('00') });
  expect(textOf(unsampled)).toContain(`"traceparent":"00-${TRACE}-`);
  expect((JSON.parse(textOf(unsampled)) as { _meta: Json })._meta.traceparent).toMatch(/-00$/);
  await callTool(client, 'ref__whoami');
  await expect.poll(() => receiver.spans.filter(({ name }) => name === 'tools/call ref__whoami').length).toBe(1);
  expect(receiver.spans.filter(({ traceId }) => traceId === TRACE)).toEqual([]);
});

test('the decision of a sampler that drops everything reaches the backends', async () => {
  await using receiver = await startOtlpReceiver();
  await using reference = await startReference('http', 'legacy');
  await using gateway = await traced(
    { mcpServers: { ref: reference.entry } },
    to(receiver, { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }),
  );
  await gateway.ready();
  await using client = await connectV2(gateway);
  const dropped = await callTool(client, 'ref__whoami');
  expect((JSON.parse(textOf(dropped)) as { _meta: Json })._meta.traceparent).toMatch(/-00$/);
  await client.callTool({ name: 'ref__whoami', arguments: {}, _meta: carried() });
  await spansOf(receiver, TRACE, 2);
  expect(receiver.spans.every(({ traceId }) => traceId === TRACE)).toBe(true);
});

test('pending spans are sent at the stop', async () => {
  await using receiver = await startOtlpReceiver();
  await using gateway = await traced({}, to(receiver, { OTEL_BSP_SCHEDULE_DELAY: '600000' }));
  await send(`${gateway.url}/mcp`, { ...modern('tools/list'), method: 'POST' });
  expect(receiver.spans).toEqual([]);
  expect(await gateway.end('SIGTERM')).toBe(0);
  expect(receiver.spans.map(({ name }) => name)).toContain('tools/list');
});

test('a failing receiver is logged once, and again when it recovers', async () => {
  await using receiver = await startOtlpReceiver();
  await using gateway = await traced({}, to(receiver));
  const ask = () => send(`${gateway.url}/mcp`, { body: rpc(1, 'ping') });
  receiver.answer(400);
  for (let round = 1; round <= 3; round++) {
    await ask();
    await expect.poll(() => receiver.requests.length).toBeGreaterThanOrEqual(round);
  }
  receiver.answer(200);
  await expect
    .poll(async () => {
      await ask();
      return gateway.output();
    })
    .toContain('again.');
  expect(gateway.output().match(/Cannot send traces/g)).toHaveLength(1);
});

test('an unreachable receiver does not keep the gateway from stopping', async () => {
  await using gateway = await traced({}, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  await send(`${gateway.url}/mcp`, { body: rpc(1, 'ping') });
  const started = Date.now();
  expect(await gateway.end('SIGTERM')).toBe(0);
  expect(Date.now() - started).toBeLessThan(9000);
});

test('gRPC is rejected with an explanation, and the gateway runs without traces', async () => {
  await using gateway = await traced(
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  );
  await expect.poll(() => gateway.output()).toContain('OTLP over grpc is not supported');
  expect((await send(`${gateway.url}/health`)).status).toBe(200);
});
