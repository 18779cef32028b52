import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Fact } from '../kernel/facts.ts';
import { createInstances } from './instances.ts';
import { type InstanceWatch, type InstanceWatchDeps, watchInstances } from './watch-instances.ts';

let server: Server;
let port: number;
let key = 'good';
let page: string | undefined;
/** Number of requests by API key. */
let asked: Map<unknown, number>;
let facts: Fact[];
let watch: InstanceWatch;

async function up(): Promise<void> {
  server = createServer((request, response) => {
    const given = request.headers['x-n8n-api-key'];
    asked.set(given, (asked.get(given) ?? 0) + 1);
    const status = given === key ? 200 : 401;
    response.writeHead(status, { 'content-type': 'application/json' }).end(page ?? '{"data":[]}');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
}

async function down(): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

beforeEach(async () => {
  port = 0;
  key = 'good';
  page = undefined;
  asked = new Map();
  facts = [];
  await up();
});

afterEach(async () => {
  watch[Symbol.dispose]();
  if (server.listening) await down();
});

function start(more: Partial<InstanceWatchDeps> = {}, apiKey: string | undefined = 'good') {
  const events = { record: (fact: Fact) => void facts.push(fact) };
  watch = watchInstances({ events, redact: (text) => text, everyMs: 50, ...more });
  const settings = { url: `http://127.0.0.1:${port}`, timeoutMs: 1000, ...(apiKey !== '' && { apiKey }) };
  const instances = createInstances({ default: settings }, { heard: watch.heard });
  watch.configure([instances.get('default')]);
  return instances.get('default');
}

const state = () => watch.health()[0]?.state;

test('an outage and the recovery are each recorded once, without any call', async () => {
  start();
  expect(watch.health()).toMatchObject([{ name: 'n8n default', kind: 'n8n', state: 'starting' }]);
  await expect.poll(state).toBe('ready');
  expect(watch.health()[0]?.detail).toBe(`http://127.0.0.1:${port}`);
  expect(facts).toEqual([]);

  await down();
  await expect.poll(state, { timeout: 10_000 }).toBe('failing');
  const [failing] = watch.health();
  expect(failing?.lastError?.message).toMatch(/n8n \(default, .*\) cannot be reached: .*ECONNREFUSED/);
  await expect.poll(() => watch.health()[0]?.retryAt).toBeDefined();

  await up();
  await expect.poll(state, { timeout: 10_000 }).toBe('ready');
  expect(watch.health()[0]?.lastError, 'the past error is kept').toBeDefined();
  expect(facts.map(({ type }) => type)).toEqual(['n8n.instance_failed', 'n8n.instance_recovered']);
});

test('a failed call polls the instance at once', async () => {
  const client = start({ everyMs: 3_600_000 });
  await expect.poll(state).toBe('ready');
  await down();
  await expect(client.workflows.page({ limit: 1 })).rejects.toThrow('cannot be reached');
  await expect.poll(state, { timeout: 10_000 }).toBe('failing');
});

test('a key that n8n no longer accepts is a failure', async () => {
  start();
  await expect.poll(state).toBe('ready');
  key = 'another';
  await expect.poll(state).toBe('failing');
  expect(watch.health()[0]?.lastError?.message).toContain('refused the API key');
  expect(watch.health()[0]?.detail).toBe(`http://127.0.0.1:${port}`);
});

test('a page of something else is not an n8n', async () => {
  page = '<!doctype html><title>Sign in</title>';
  start();
  await watch.looked();
  expect(watch.health()).toMatchObject([
    { state: 'failing', lastError: { message: expect.stringContaining('like n8n') } },
  ]);
});

test('an instance without a key is degraded', async () => {
  start({}, '');
  server.removeAllListeners('request').on('request', (_, response) => void response.end('{"status":"ok"}'));
  await expect.poll(state).toBe('degraded');
  expect(watch.health()[0]?.fix).toContain('n8n.default.apiKey');
});

test('an instance that we are still starting has not failed', async () => {
  await down();
  let isStarting = true;
  start({ isStarting: () => isStarting });
  await expect.poll(() => watch.health()[0]?.retryAt, { timeout: 10_000 }).toBeDefined();
  expect(watch.health()).toMatchObject([{ state: 'starting' }]);
  expect(facts).toEqual([]);
  isStarting = false;
  await expect.poll(state, { timeout: 10_000 }).toBe('failing');
});

test('an instance that is no longer configured is no longer polled', async () => {
  start();
  await expect.poll(state).toBe('ready');
  const settings = { url: `http://127.0.0.1:${port}`, timeoutMs: 1000, apiKey: 'wrong' };
  watch.configure([createInstances({ other: settings }).get('other')]);
  expect(watch.health().map(({ name }) => name)).toEqual(['n8n other']);
  const before = asked.get('good') ?? 0;
  await expect.poll(() => asked.get('wrong')).toBeGreaterThan(4);
  // One request may already have been sent.
  expect(asked.get('good')).toBeLessThanOrEqual(before + 1);
  expect(facts.map((fact) => 'instance' in fact && fact.instance)).toEqual(['other']);
});
