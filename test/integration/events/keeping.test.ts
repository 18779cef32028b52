import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { UsageReport } from '../../../src/gateway/status/usage.ts';
import type { RecordedEvent } from '../../../src/kernel/events.ts';
import { callTool, connectV1, type Json, startGateway, startReference, type TestGateway, textOf } from '../harness.ts';

const servers = (entry: object) => ({ gateway: { allowInternalUrls: true }, mcpServers: { ref: entry } });

async function events(gateway: TestGateway, args: Json): Promise<RecordedEvent[]> {
  await using client = await connectV1(gateway);
  const result = await callTool(client, 'get_events', args);
  return (result.structuredContent as { events: RecordedEvent[] }).events;
}

test('the audit records who adds, restarts and removes a server, once, with the trace of the call', async () => {
  await using reference = await startReference('http', 'both');
  await using gateway = await startGateway({ gateway: { allowInternalUrls: true } });
  {
    await using client = await connectV1(gateway, { answer: () => ({ action: 'accept', content: {} }) });
    await callTool(client, 'gateway_add_server', { name: 'extra', server: reference.entry });
    await callTool(client, 'gateway_restart_server', { name: 'extra' });
    await callTool(client, 'gateway_remove_server', { name: 'extra' });
    // A failed call changes nothing, so the audit leaves it out.
    await callTool(client, 'gateway_add_server', { name: 'gateway', server: reference.entry });
    await callTool(client, 'gateway_restart_server', { name: 'nonesuch' });
  }
  await gateway.reload({ gateway: { allowInternalUrls: true }, toolsets: { few: { include: ['ref__*'] } } });
  const audit = (await events(gateway, { audit: true })).toReversed();
  expect(audit.map(({ event_type, data }) => [event_type, data])).toEqual([
    ['gateway.server_added', { backend: 'extra', transport: 'http', principal: 'local' }],
    ['gateway.server_restarted', { backend: 'extra', principal: 'local' }],
    ['gateway.server_removed', { backend: 'extra', principal: 'local' }],
    ['gateway.config_reloaded', { added: [], changed: [], removed: [], sections: ['toolsets'] }],
  ]);
  const traced = await events(gateway, { trace_id: audit[0]?.trace_id, event_type: 'tool.*' });
  expect(traced.map(({ data }) => data.tool)).toEqual(['gateway_add_server', 'gateway_add_server']);
});

test('arguments are recorded without secrets and only if configured, and a reload can change that', async () => {
  await using reference = await startReference('http', 'both');
  const config = servers({ ...reference.entry, headers: { 'X-Api-Key': 'canary-of-config' } });
  await using gateway = await startGateway(config);
  const echo = async (text: string) => {
    await using client = await connectV1(gateway);
    await callTool(client, 'ref__echo', { text, password: 'canary-by-name' });
  };
  await echo('first');
  await gateway.reload({ ...config, events: { arguments: true } });
  await echo('second canary-of-config');
  await gateway.reload(config);
  await echo('third');
  const recorded = await events(gateway, { event_type: 'tool.call_arguments', tool: 'ref__echo' });
  expect(recorded.map(({ data }) => JSON.parse(data.arguments as string) as Json)).toEqual([
    { text: 'second [redacted]', password: '[redacted]' },
  ]);
  const all = JSON.stringify((await gateway.stored({ limit: 1000 })).events);
  for (const text of ['first', 'third', 'canary']) expect(all).not.toContain(text);
});

test('events are also written to files, each once, including the last ones before the stop', async () => {
  await using reference = await startReference('http', 'both');
  await using stack = new AsyncDisposableStack();
  const gateway = await startGateway({ ...servers(reference.entry), events: { jsonl: 'log/events' } });
  stack.use(gateway);
  const place = join(gateway.home, 'log/events');
  {
    await using client = await connectV1(gateway);
    for (let i = 0; i < 20; i++) await callTool(client, 'ref__echo', { text: 'hi' });
  }
  const { events: stored } = await gateway.stored({ order: 'asc', limit: 1000 });
  const lines = () =>
    readdirSync(place)
      .sort()
      .flatMap((name) => readFileSync(join(place, name), 'utf8').trimEnd().split('\n'));
  await expect.poll(() => lines().length).toBe(stored.length);
  expect(lines().map((line) => JSON.parse(line) as unknown)).toEqual(stored.map(({ id: _, ...event }) => event));
  expect(Object.keys(JSON.parse(lines()[0] as string) as object)).toEqual([
    'timestamp',
    'trace_id',
    'event_type',
    'status',
    'data',
  ]);
});

test.skipIf(process.platform !== 'linux')(
  'a full disk under the event files fails no call, and the status reports it',
  async () => {
    await using reference = await startReference('http', 'both');
    await using gateway = await startGateway(servers(reference.entry));
    await using client = await connectV1(gateway);
    const status = async () => (await callTool(client, 'gateway_status')).structuredContent as { events: Json };
    expect((await status()).events).toEqual({ dropped: 0 });
    // Today's file, and tomorrow's for a run at midnight.
    const full = [0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
    await gateway.reload({ ...servers(reference.entry), events: { jsonl: 'log' } });
    const file = (day: string) => join(gateway.home, 'log', `${day}.jsonl`);
    // Wait until the reload event is written: after it nothing else is pending.
    const written = () => (existsSync(join(gateway.home, 'log')) ? readdirSync(join(gateway.home, 'log')) : []);
    await expect.poll(written).toHaveLength(1);
    for (const day of full) {
      rmSync(file(day), { force: true });
      symlinkSync('/dev/full', file(day));
    }
    expect(textOf(await callTool(client, 'ref__echo', { text: 'still here' }))).toBe('still here');
    await expect
      .poll(async () => (await status()).events)
      .toMatchObject({ jsonl: { lost: 0, error: expect.stringContaining('ENOSPC') as string } });
    for (const day of full) rmSync(file(day));
    await expect.poll(async () => (await status()).events).toMatchObject({ jsonl: { lost: 0 } });
    await expect.poll(() => readFileSync(file(full[0] as string), 'utf8')).toContain('ref__echo');
  },
);

test('gateway_usage shows the most used, slowest and most failing tools', async () => {
  await using reference = await startReference('http', 'both');
  await using gateway = await startGateway(servers(reference.entry));
  await using client = await connectV1(gateway);
  for (let i = 0; i < 6; i++) await callTool(client, 'ref__echo', { text: 'hi' });
  for (let i = 0; i < 2; i++) await callTool(client, 'gateway_restart_server', { name: 'nonesuch' });
  const usage = async (args: Json) => (await callTool(client, 'gateway_usage', args)).structuredContent as UsageReport;
  const report = await usage({});
  expect(report).toMatchObject({ by: 'tool', calls: 8, failed: 2, distinct: 2 });
  expect(report.mostUsed[0]).toMatchObject({ name: 'ref__echo', source: 'ref', calls: 6, failed: 0 });
  expect(report.mostFailing).toMatchObject([{ name: 'gateway_restart_server', failed: 2, reason: 'not_found' }]);
  expect(report.slowest.every(({ p50Ms, p95Ms }) => (p50Ms ?? 0) <= (p95Ms ?? -1))).toBe(true);
  expect(await usage({ by: 'source', source: 'ref' })).toMatchObject({ calls: 6, mostUsed: [{ name: 'ref' }] });
  expect((await usage({ by: 'key' })).mostUsed).toMatchObject([{ name: 'local' }]);
  expect(await usage({ since: '2020-01-01', until: '2020-01-02' })).toMatchObject({ calls: 0, mostUsed: [] });
});

test('the default reply of gateway_usage stays under 8 KB with thousands of tools', async () => {
  await using gateway = await startGateway({});
  const calls = Array.from({ length: 5000 }, (_, n): RecordedEvent => {
    const data = { tool: `server__${'x'.repeat(30)}_${n}`, source: 'server', principal: `key:${n}`, ms: n };
    const base = { timestamp: new Date().toISOString(), trace_id: 't' };
    return { ...base, event_type: 'tool.call_failed', status: 'failure', data: { ...data, reason: 'tool error' } };
  });
  await gateway.runtime.store.events.append(calls);
  await using client = await connectV1(gateway);
  for (const by of ['tool', 'source', 'key']) {
    const result = await callTool(client, 'gateway_usage', { by });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(8192);
  }
});
