import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callTool, connectV2, modern, send, startReference } from '../harness.ts';
import { serve, type ServeProcess } from '../../support/serve-process.ts';
import { checkMetrics, prometheusIsMissing, startPrometheus } from './prometheus.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-metrics-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const scraped = async ({ url }: ServeProcess, headers = {}) => send(`${url}/metrics`, { headers });

/** The value of one series. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

describe.skipIf(prometheusIsMissing)('Prometheus', () => {
  test('scrapes the gateway, and then has the calls', async () => {
    await using reference = await startReference('http', 'legacy');
    await using gateway = await serve(directory, {
      mcpServers: { ref: reference.entry, gone: { command: 'no-such-command-anywhere' } },
    });
    await gateway.ready();
    await using client = await connectV2(gateway);
    for (let round = 0; round < 5; round++) await callTool(client, 'ref__whoami');
    await callTool(client, 'gateway_restart_server', { name: 'nobody' });

    await using prometheus = await startPrometheus({
      static_configs: [{ targets: [new URL(gateway.url).host] }],
    });
    const value = async (expression: string) => (await prometheus.query(expression))[0]?.value;
    await expect.poll(() => value('up'), { timeout: 20_000 }).toBe(1);
    await expect.poll(() => prometheus.target()).toMatchObject({ health: 'up', lastError: '' });
    const whoami = '{source="ref",tool="ref__whoami"}';
    expect(await value(`sum(sluice_tool_calls_total${whoami})`)).toBe(5);
    expect(await value(`sluice_tool_call_duration_seconds_count${whoami}`)).toBe(5);
    expect(await value(`histogram_quantile(0.95, sluice_tool_call_duration_seconds_bucket${whoami})`)).toBeLessThan(5);
    expect(await value('sum(sluice_tool_call_errors_total{tool="gateway_restart_server"})')).toBe(1);
    expect(await value('sluice_backend_state{backend="ref",state="RUNNING"}')).toBe(1);
    expect(await value('sluice_backend_state{backend="gone",state="RUNNING"}')).toBe(0);
    expect(await value('sum by (backend) (sluice_backend_state{backend="gone"})'), 'one state at a time').toBe(1);
    expect(await value('sluice_sessions')).toBe(1);
    expect(await value('sluice_store_size_bytes')).toBeGreaterThan(4096);
    expect((await prometheus.query('sluice_build_info'))[0]?.metric).toMatchObject({
      version: expect.any(String) as string,
    });

    await callTool(client, 'ref__whoami');
    await expect.poll(() => value(`sum(sluice_tool_calls_total${whoami})`), { timeout: 20_000 }).toBe(6);
  });

  test('accepts the format of the metrics', async () => {
    await using reference = await startReference('http', 'legacy');
    await using gateway = await serve(directory, { mcpServers: { ref: reference.entry } });
    await gateway.ready();
    await using client = await connectV2(gateway);
    await callTool(client, 'ref__whoami');
    const { status, headers, text } = await scraped(gateway);
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(await checkMetrics(text)).toBe('');
    expect(await checkMetrics('wrong{'), 'it does look').not.toBe('');
  });

  test('can scrape with a key if keys are required', async () => {
    await using gateway = await serve(
      directory,
      { auth: { mode: 'keys' } },
      { env: { MCP_AUTH_TOKEN: 'the-token-of-prometheus' } },
    );
    await using prometheus = await startPrometheus({
      static_configs: [{ targets: [new URL(gateway.url).host] }],
      authorization: { credentials: 'the-token-of-prometheus' },
    });
    await expect.poll(async () => (await prometheus.target())?.health, { timeout: 20_000 }).toBe('up');
  });
});

test('metrics need a key if keys are required, unless they are public', async () => {
  const config = { auth: { mode: 'keys' } };
  await using gateway = await serve(directory, config);
  expect((await scraped(gateway)).status).toBe(401);
  await gateway.configure({ ...config, metrics: { public: true } });
  await expect.poll(async () => (await scraped(gateway)).status).toBe(200);
  const { text } = await scraped(gateway);
  expect(valueOf(text, 'sluice_requests_refused_total{status="401"}')).toBeGreaterThanOrEqual(1);
});

test('refused requests are counted', async () => {
  await using gateway = await serve(directory, {});
  const hostile = { ...modern('tools/list'), headers: { ...modern('tools/list').headers, host: 'evil.example' } };
  for (let round = 0; round < 3; round++) expect((await send(`${gateway.url}/mcp`, hostile)).status).toBe(403);
  expect(valueOf((await scraped(gateway)).text, 'sluice_requests_refused_total{status="403"}')).toBe(3);
});

test('disabled metrics are a 404', async () => {
  await using gateway = await serve(directory, { metrics: { enabled: false } });
  expect((await scraped(gateway)).status).toBe(404);
});

test('maxTools limits the series; the other tools share one', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await serve(directory, { mcpServers: { ref: reference.entry }, metrics: { maxTools: 1 } });
  await gateway.ready();
  await using client = await connectV2(gateway);
  for (const name of ['ref__whoami', 'ref__journal', 'ref__vendor']) await callTool(client, name);
  const { text } = await scraped(gateway);
  const tools = new Set(
    [...text.matchAll(/sluice_tool_calls_total\{source="ref",tool="(\w+)"/g)].map(([, name]) => name),
  );
  expect([...tools]).toEqual(['ref__whoami', 'other']);
  expect(valueOf(text, 'sluice_tool_calls_total{source="ref",tool="other",status="success"}')).toBe(2);
});
