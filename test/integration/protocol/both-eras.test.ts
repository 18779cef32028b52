import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { listen, streamableHttp } from '../../fixtures/reference/http.ts';
import { buildServer } from '../../fixtures/reference/server.ts';
import { createWorld, type World } from '../../fixtures/reference/world.ts';
import { Cut, type ScriptedServer, startScripted } from '../../fixtures/scripted-server.ts';
import {
  type AnyClient,
  type Answer,
  callTool,
  connectV1,
  connectV2,
  type Json,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from '../harness.ts';
import { alive, scratch } from '../../support/processes.ts';

const SOON = { timeout: 10_000 };
const kinds = ['elicitation', 'sampling', 'roots'] as const;
const answers: Record<string, Json> = {
  'elicitation/create': { action: 'accept', content: { value: 'forty-two' } },
  'sampling/createMessage': { model: 'm', role: 'assistant', content: { type: 'text', text: 'forty-two' } },
  'roots/list': { roots: [{ uri: 'file:///forty-two' }] },
};
const answer: Answer = (method) => answers[method];

const eraOf = async (client: AnyClient, server = 'ref') =>
  (JSON.parse(textOf(await callTool(client, `${server}__whoami`))) as { era: string }).era;
const askBack = async (client: AnyClient, tag: string, kind: string = 'elicitation', server = 'ref') =>
  textOf(await callTool(client, `${server}__ask_back`, { kind, tag }));
const backendOf = ({ runtime }: TestGateway, name = 'ref') => {
  const backend = runtime.apis.gateway.backend(name);
  if (!backend) throw new Error(`There is no ${name}.`);
  return backend;
};

describe.each(['http', 'stdio'] as const)('a server of both eras over %s that asks in mid-call', (transport) => {
  test('serves each client in its own era, in every isolation', async () => {
    await using reference = await startReference(transport, 'both');
    const isolations = ['shared', 'session', 'principal'];
    const mcpServers = Object.fromEntries(
      isolations.map((isolation) => [isolation, { ...reference.entry, isolation }]),
    );
    await using gateway = await startGateway({ mcpServers });
    const connections = (server: string) => backendOf(gateway, server).lanes.running().length;
    await using mute = await connectV1(gateway);
    expect(await eraOf(mute, 'shared')).toBe('modern');
    // A client that cannot be asked needs no second connection.
    expect(connections('shared')).toBe(1);

    await using v1 = await connectV1(gateway, { answer });
    await using v2 = await connectV2(gateway, { answer });
    await using modern = await connectV2(gateway, { answer, era: 'modern' });
    for (const server of isolations) {
      for (const client of [v1, v2])
        for (const kind of kinds) {
          // The 2026 client's call is in flight at the same time.
          const asked = callTool(modern, `${server}__ask`, { kind, tag: 'modern' });
          expect(await askBack(client, kind, kind, server)).toContain('forty-two');
          expect(textOf(await asked)).toContain('forty-two');
        }
      expect(await eraOf(v1, server)).toBe('legacy');
      expect(await eraOf(v2, server)).toBe('legacy');
      expect(await eraOf(modern, server)).toBe('modern');
      expect(backendOf(gateway, server)).toMatchObject({
        state: 'RUNNING',
        restarts: 0,
        catalogue: { era: 'modern', legacy: { spoken: true } },
      });
    }
    // shared: one per era. session: one shared, one per session and one lent. principal: one shared, two for the user.
    expect(isolations.map(connections)).toEqual([2, 4, 3]);
  });
});

test('over HTTP many 2025 clients are asked at once, each its own question', async () => {
  await using reference = await startReference('http', 'both');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  await using stack = new AsyncDisposableStack();
  const clients = await Promise.all(
    Array.from({ length: 5 }, async (_, index) =>
      stack.use(
        await connectV1(gateway, { answer: () => ({ action: 'accept', content: { value: `client ${index}` } }) }),
      ),
    ),
  );
  const told = await Promise.all(clients.map((client, index) => askBack(client, String(index))));
  told.forEach((text, index) => expect(text).toContain(`client ${index}`));
  // They all share the second connection.
  expect(backendOf(gateway).lanes.running()).toHaveLength(2);
});

test('the second process starts when needed, and ends with a restart, a change or a removal', async () => {
  await using reference = await startReference('stdio', 'both');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  expect(backendOf(gateway).pids).toHaveLength(1);
  await using client = await connectV1(gateway, { answer });
  const ends = [
    () => backendOf(gateway).lanes.restart(),
    () => gateway.reload({ mcpServers: { ref: { ...reference.entry, env: { NEW: '1' } } } }),
    () => gateway.reload({ mcpServers: {} }),
  ];
  for (const end of ends) {
    // Calls during its start wait for the same process.
    await Promise.all([eraOf(client), eraOf(client), eraOf(client)]);
    const { pids } = backendOf(gateway);
    expect(pids).toHaveLength(2);
    expect(await alive(pids)).toEqual(pids);
    await end();
    await expect.poll(() => alive(pids), SOON).toEqual([]);
  }
});

test('each process can be killed without the other, and is restarted', async () => {
  await using reference = await startReference('stdio', 'both');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  await using legacy = await connectV1(gateway, { answer });
  await using modern = await connectV2(gateway, { era: 'modern' });
  await askBack(legacy, 'before');
  const backend = backendOf(gateway);
  const [first = 0, second = 0] = backend.pids;
  process.kill(second, 'SIGKILL');
  await expect.poll(() => backend.pids, SOON).toEqual([first]);
  expect(backend).toMatchObject({ state: 'RUNNING', restarts: 0 });
  expect(await askBack(legacy, 'second killed')).toContain('forty-two');
  const crashed = await callTool(legacy, 'ref__crash').then(textOf, (error: Error) => error.message);
  expect(crashed).toContain('exited with code 1');
  expect(await askBack(legacy, 'second crashed')).toContain('forty-two');
  const [, third = 0] = backend.pids;
  process.kill(first, 'SIGKILL');
  await expect.poll(() => backend.restarts, SOON).toBe(1);
  await expect.poll(() => eraOf(modern), SOON).toBe('modern');
  expect(await askBack(legacy, 'first killed')).toContain('forty-two');
  expect(backend.pids).toContain(third);
  expect(await alive([first, second])).toEqual([]);
});

/** An HTTP server that can be stopped and started on the same port, with no state kept. */
async function restartable() {
  let server = await listen(streamableHttp(createWorld(), 'both'), 0);
  const { port } = server;
  async function stop(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
  return {
    entry: { url: `http://127.0.0.1:${port}/mcp` },
    stop,
    async start(world: World = createWorld()): Promise<void> {
      server = await listen(streamableHttp(world, 'both'), port);
    },
    [Symbol.asyncDispose]: stop,
  };
}

test('a restarted server serves both eras again', async () => {
  await using server = await restartable();
  await using gateway = await startGateway({ mcpServers: { ref: server.entry } });
  await using legacy = await connectV1(gateway, { answer });
  await using modern = await connectV2(gateway, { answer, era: 'modern' });
  await askBack(legacy, 'before');
  await server.stop();
  const down = await askBack(legacy, 'down').catch((error: Error) => error.message);
  expect(down).not.toContain('forty-two');
  await server.start();
  await expect.poll(() => askBack(legacy, 'after').catch(String), SOON).toContain('forty-two');
  expect(await eraOf(legacy)).toBe('legacy');
  expect(await eraOf(modern)).toBe('modern');
});

const tools = () => ({ tools: [{ name: 'tool', inputSchema: { type: 'object' } }], ttlMs: 0, cacheScope: 'private' });
const initialized = (server: ScriptedServer) => server.received.filter(({ method }) => method === 'initialize');
const era = (server: ScriptedServer) =>
  server.received.filter(({ method }) => method === 'tools/call').map(({ headers }) => headers['mcp-protocol-version']);

test('Sluice finds out once that a server speaks only 2026, and remembers it across a restart', async () => {
  const script = { 'tools/list': tools, 'tools/call': () => ({ content: [], resultType: 'complete' }) };
  await using server = await startScripted('modern', script);
  await using room = await scratch();
  for (const run of [1, 2]) {
    await using gateway = await startGateway({ mcpServers: { ref: server.entry } }, { home: room.directory });
    await using client = await connectV1(gateway, { answer });
    await callTool(client, 'ref__tool');
    await callTool(client, 'ref__tool');
    expect(initialized(server)).toHaveLength(1);
    expect(era(server)).toEqual(Array.from({ length: 2 * run }, () => '2026-07-28'));
    expect(backendOf(gateway)).toMatchObject({ state: 'RUNNING', lastError: undefined });
  }
});

test.each(['shared', 'session'])('isolation %s: a call falls back to 2026 if 2025 fails', async (isolation) => {
  const script = {
    'tools/list': tools,
    'tools/call': () => ({ content: [{ type: 'text', text: 'served' }], resultType: 'complete' }),
    initialize: () => {
      throw new Cut();
    },
  };
  await using server = await startScripted('modern', script);
  await using gateway = await startGateway({ mcpServers: { ref: { ...server.entry, isolation } } });
  await using client = await connectV1(gateway, { answer });
  expect(textOf(await callTool(client, 'ref__tool'))).toBe('served');
  const tried = initialized(server).length;
  expect(textOf(await callTool(client, 'ref__tool'))).toBe('served');
  // 2025 is not retried with every call, and the failure does not mark the server as 2026 only.
  expect(initialized(server)).toHaveLength(tried);
  expect(backendOf(gateway).offer.speaksLegacy()).toBeUndefined();
  expect(backendOf(gateway)).toMatchObject({
    state: 'RUNNING',
    lastError: { message: expect.stringContaining('2025 protocol') },
  });
});

test('a server without 2025 sessions cannot ask in that era, so it is used in 2026', async () => {
  const handler = createMcpHandler(() => buildServer(createWorld(), 'modern', 'single'), { legacy: 'stateless' });
  const serve = toNodeHandler(handler);
  const server = await listen((request, response) => void serve(request, response), 0);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => new Promise<void>((resolve) => server.close(() => resolve())));
  stack.defer(() => server.closeAllConnections());
  await using gateway = await startGateway({ mcpServers: { ref: { url: `http://127.0.0.1:${server.port}/mcp` } } });
  await using client = await connectV1(gateway, { answer });
  const asked = textOf(await callTool(client, 'ref__ask', { kind: 'elicitation', tag: 't' }));
  expect(asked).toContain('forty-two');
  expect(backendOf(gateway).offer.speaksLegacy()).toBe(false);
});

test('unanswered calls of both eras count for the same breaker', async () => {
  let broken = true;
  const script = {
    'tools/list': tools,
    'tools/call': () => {
      if (broken) throw new Cut();
      return { content: [{ type: 'text', text: 'served' }], resultType: 'complete' };
    },
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'dual', version: '1' },
    }),
  };
  await using server = await startScripted('modern', script);
  await using gateway = await startGateway({ mcpServers: { ref: server.entry } });
  await using legacy = await connectV1(gateway, { answer });
  await using modern = await connectV2(gateway, { era: 'modern' });
  const call = (client: AnyClient) => callTool(client, 'ref__tool').then(textOf, (error: Error) => error.message);
  for (const client of [legacy, legacy, legacy, modern, legacy]) await call(client);
  expect(new Set(era(server))).toEqual(new Set(['2025-11-25', '2026-07-28']));
  expect(backendOf(gateway).state).toBe('DEGRADED');
  broken = false;
  // Both eras are paused, although the server would answer.
  expect(await call(modern)).toContain('pause');
  expect(await call(legacy)).toContain('pause');
});
