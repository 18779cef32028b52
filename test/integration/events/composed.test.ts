import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { part } from '../../../src/host/part.ts';
import { startParts } from '../../../src/host/runtime.ts';
import { parts } from '../../../src/parts.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';
import { type ReceivedEvent, startReceiver } from '../../fixtures/webhook-receiver.ts';
import { callTool, connectV2, startGateway, startReference } from '../harness.ts';
import { scratch } from '../../support/processes.ts';
import { serve } from '../../support/serve-process.ts';

interface Status {
  events?: { webhooks?: Record<string, unknown>[]; watch?: Record<string, unknown>[] };
}

const retry = { first: '10ms', most: '50ms' };

test('a call, and a line of a watched file, reach the webhook; the status shows both', async () => {
  await using receiver = await startReceiver();
  await using reference = await startReference('http', 'modern');
  const events = { webhook: { url: receiver.url, retry }, watch: ['telemetry.jsonl'] };
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry }, events });
  await using client = await connectV2(gateway);
  await callTool(client, 'ref__echo', { text: 'hi' });
  await appendFile(join(gateway.home, 'telemetry.jsonl'), '{"event":"content.generated","id":7}\nnonsense\n');
  const types = () => receiver.events.map(({ event_type }) => event_type);
  await expect.poll(types).toEqual(expect.arrayContaining(['tool.call_completed', 'content.generated']));
  const ofCall = receiver.events.filter(({ data }) => data.tool === 'ref__echo');
  expect(ofCall.map(({ event_type }) => event_type)).toEqual(['tool.call_received', 'tool.call_completed']);
  expect(new Set(ofCall.map(({ trace_id }) => trace_id)).size).toBe(1);
  const status = async () => (await callTool(client, 'gateway_status')).structuredContent as Status;
  await expect
    .poll(async () => (await status()).events)
    .toMatchObject({
      webhooks: [{ name: 'webhook', state: 'delivering', dead: 0, skipped: 0 }],
      watch: [{ file: 'telemetry.jsonl', state: 'reading', events: 1, bad: 1 }],
    });
});

test('changes of both sections apply while it runs', async () => {
  await using first = await startReceiver();
  await using second = await startReceiver();
  await using gateway = await startGateway({ events: { webhook: { url: first.url, retry } } });
  await using client = await connectV2(gateway);
  const calls = ({ events }: { events: ReceivedEvent[] }) =>
    events.filter(({ event_type }) => event_type === 'tool.call_completed').length;
  await callTool(client, 'gateway_status');
  await expect.poll(() => calls(first)).toBe(1);
  await gateway.reload({ events: { webhook: { url: second.url, retry }, watch: ['x.jsonl'] } });
  await callTool(client, 'gateway_status');
  await expect.poll(() => calls(second)).toBe(1);
  await appendFile(join(gateway.home, 'x.jsonl'), '{"event":"x"}\n');
  await expect.poll(() => second.events.at(-1)?.event_type).toBe('x');
  await gateway.reload({});
  expect(gateway.runtime.apis.gateway.status().events).not.toHaveProperty('webhooks');
  expect(gateway.runtime.apis.gateway.status().events).not.toHaveProperty('watch');
  await callTool(client, 'gateway_status');
  expect([calls(first), calls(second)]).toEqual([1, 1]);
});

test('with a webhook, the events of every answered call are stored', async () => {
  await using receiver = await startReceiver();
  receiver.behave = () => 503;
  await using gateway = await startGateway({ events: { webhook: { url: receiver.url, retry } } });
  await using client = await connectV2(gateway);
  const calls = async () =>
    (await gateway.runtime.store.events.query({ type: 'tool.call_completed', limit: 1000 })).events.length;
  for (let count = 1; count <= 20; count++) {
    await callTool(client, 'gateway_status');
    expect(await calls()).toBe(count);
  }
  await Promise.all(Array.from({ length: 50 }, () => callTool(client, 'gateway_status')));
  expect(await calls()).toBe(70);
});

test('the secret, headers and address of a webhook appear in no event and no status', async () => {
  await using receiver = await startReceiver();
  receiver.behave = () => 404;
  const webhook = {
    url: `${receiver.url}/canary-path-1`,
    secret: 'canary-secret-2',
    headers: { Authorization: 'Bearer canary-header-3' },
    retry,
  };
  await using gateway = await startGateway({ events: { webhook } });
  await using client = await connectV2(gateway);
  await callTool(client, 'gateway_status');
  await expect.poll(() => receiver.requests.length).toBeGreaterThan(1);
  expect(receiver.requests[0]?.headers.authorization).toBe('Bearer canary-header-3');
  const { events } = await gateway.stored({ limit: 1000 });
  expect(events.some(({ event_type }) => event_type === 'webhook.failing')).toBe(true);
  const places = await gateway.runtime.store.outbox.list();
  expect(JSON.stringify([events, gateway.runtime.apis.gateway.status(), places])).not.toContain('canary');
  expect(receiver.requests.map(({ body }) => body).join()).not.toContain('canary');
});

test('N8N_EVENT_WEBHOOK_URL alone posts watched events and the start and stop of the gateway, one per request', async () => {
  await using receiver = await startReceiver();
  const directory = await mkdtemp(join(tmpdir(), 'sluice-env-'));
  try {
    const watched = join(directory, 'telemetry.jsonl');
    const env = { N8N_EVENT_WEBHOOK_URL: receiver.url, SLUICE_WATCH: watched };
    await using gateway = await serve(directory, {}, { env });
    const types = () => receiver.events.map(({ event_type }) => event_type);
    await expect.poll(types).toContain('gateway.started');
    await using client = await connectV2({ url: gateway.url, home: directory });
    await callTool(client, 'gateway_status');
    await appendFile(watched, '{"event":"content.generated","id":7}\n');
    await expect.poll(types).toContain('content.generated');
    expect(await gateway.end('SIGTERM')).toBe(0);
    expect(types().at(-1)).toBe('gateway.stopped');
    expect(types().filter((type) => type.startsWith('tool.'))).toEqual([]);
    expect(receiver.requests.map(({ body }) => JSON.parse(body) as object)).toEqual(
      receiver.events.map((event) => expect.objectContaining({ event: event.event_type }) as unknown),
    );
    expect(receiver.requests.every(({ body }) => !('events' in (JSON.parse(body) as object)))).toBe(true);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test.each([
  ['SLUICE_EVENTS_DIR', { SLUICE_EVENTS_DIR: 'log/events' }, {}, 'log/events'],
  ['the preset chora', { ANTHROPIC_API_KEY: 'sk-1' }, {}, '.chora/memory/events'],
  ['the file, and not the preset', { ANTHROPIC_API_KEY: 'sk-1' }, { jsonl: 'mine' }, 'mine'],
])('event files are where %s says', async (_, env, events, directory) => {
  await using place = await scratch();
  const home = place.directory;
  await writeFile(join(home, 'chora-compose'), '#!/bin/sh\nsleep 60\n', { mode: 0o755 });
  await using gateway = await startGateway(
    { events, mcpServers: { away: { url: 'http://127.0.0.1:9/mcp' } } },
    { home, settle: false, env: { PATH: `${home}:${process.env.PATH}`, ...env } },
  );
  const today = new Date().toISOString().slice(0, 10);
  const written = () => readFile(join(gateway.home, directory, `${today}.jsonl`), 'utf8').catch(() => '');
  await expect.poll(written).toContain('"event_type":"gateway.backend_registered"');
  const others = ['log', '.chora', 'mine'].filter((name) => !directory.startsWith(name));
  for (const other of others) expect(existsSync(join(home, other))).toBe(false);
});

test('a preset writes no event files where the user watches some', async () => {
  await using place = await scratch();
  const home = place.directory;
  await writeFile(join(home, 'chora-compose'), '#!/bin/sh\nsleep 60\n', { mode: 0o755 });
  await using gateway = await startGateway(
    { events: { watch: ['.chora/memory/events/today.jsonl'] } },
    { home, settle: false, env: { PATH: `${home}:${process.env.PATH}`, ANTHROPIC_API_KEY: 'sk-1' } },
  );
  await expect
    .poll(() => gateway.runtime.apis.gateway.status().events)
    .toMatchObject({ watch: [{ file: 'today.jsonl' }, { file: 'events.jsonl' }] });
  expect(gateway.runtime.apis.gateway.status().events).not.toHaveProperty('jsonl');
});

test('the last events are stored even if a part fails to close', async () => {
  const home = await mkdtemp(join(tmpdir(), 'sluice-ending-'));
  try {
    const broken = part({
      open: () => ({
        api: undefined,
        async [Symbol.asyncDispose]() {
          throw new Error('it did not end well');
        },
      }),
    });
    const runtime = await startParts({ ...parts, broken }, { home, cwd: home, env: {}, version: '0' });
    runtime.events.record({ type: 'gateway.stopped', reason: 'test' });
    await expect(runtime[Symbol.asyncDispose]()).rejects.toThrow('it did not end well');
    await expect(runtime.store.events.count()).rejects.toMatchObject({ code: 'unavailable' });
    await using store = await openSqlite(join(home, 'sluice.db'));
    expect((await store.events.query({ type: 'gateway.stopped' })).events).toHaveLength(1);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
