import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../../src/gateway/backends/catalogue.ts';
import { hostileJson, hostileName, hostileObject, hostileTool } from '../../support/hostile.ts';
import { callTool, connectV2, startGateway, startReference, textOf } from '../harness.ts';

const fixture = fileURLToPath(new URL('../../fixtures/hostile-server.ts', import.meta.url));
const inherited = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'];
const toolsNamed = (names: readonly string[]) => names.map((name) => ({ name, inputSchema: { type: 'object' } }));

let root: string;
let files = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-hostile-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function hostileOverStdio(tools: unknown) {
  const file = join(root, `${++files}.json`);
  const script = { tools, frames: [] as string[] };
  const write = () => writeFile(file, JSON.stringify(script));
  await write();
  return {
    entry: { command: process.execPath, args: [fixture, file] },
    async says(frames: string[]) {
      script.frames = frames;
      await write();
    },
    async [Symbol.asyncDispose]() {},
  };
}

type Frames = (id: unknown) => string;

/** The same over HTTP: a stream with these frames, then an answer unless it breaks off. */
async function hostileOverHttp(transport: 'http' | 'sse', tools: unknown) {
  let frames: Frames = () => '';
  let breaksOff = false;
  const streams = new Set<ServerResponse>();

  function answerTo(method: string, params: { protocolVersion?: string }): object {
    const { protocolVersion } = params;
    if (method === 'initialize')
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'h', version: '1' } } };
    if (method === 'tools/list') return { result: { tools } };
    if (method === 'tools/call') return { result: { content: [{ type: 'text', text: 'done' }] } };
    return method === 'ping' ? { result: {} } : { error: { code: -32601, message: 'no' } };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const stream = { 'content-type': 'text/event-stream' };
    if (request.method === 'GET' && transport === 'http') return void response.writeHead(405).end();
    if (request.method === 'GET') {
      streams.add(response);
      response.on('close', () => streams.delete(response));
      response.writeHead(200, stream);
      return void response.write('event: endpoint\ndata: /messages\n\n');
    }
    if (request.method !== 'POST') return void response.writeHead(200).end();
    const { id, method = '', params = {} } = (await json(request)) as { id?: number; method?: string; params?: object };
    if (id === undefined || method === '') return void response.writeHead(202).end();
    const given = method === 'tools/call' ? frames(id) : '';
    const answer = `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, ...answerTo(method, params) })}\n\n`;
    const isCut = breaksOff && method === 'tools/call';
    if (transport === 'http') return void response.writeHead(200, stream).end(`${given}\n\n${isCut ? '' : answer}`);
    response.writeHead(202).end();
    for (const open of streams) open.write(`${given}\n\n${answer}`);
  }

  const server: Server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    entry: { url: `http://127.0.0.1:${port}/mcp`, transport },
    breakOff() {
      breaksOff = true;
    },
    async says(texts: string[]) {
      frames = (id) => texts.map((text) => text.replaceAll('ID', String(id))).join('');
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const method = fc.oneof(
  fc.constantFrom(
    'notifications/message',
    'notifications/progress',
    'notifications/cancelled',
    'notifications/resources/updated',
    'notifications/tasks/status',
    'notifications/elicitation/complete',
    'notifications/tools/list_changed',
    'elicitation/create',
    'sampling/createMessage',
    'roots/list',
    'ping',
  ),
  hostileName,
);
const param = fc.constantFrom(
  'level',
  'progressToken',
  'requestId',
  'uri',
  'taskId',
  'status',
  '_meta',
  'data',
  'logger',
);
const id = fc.oneof(fc.constant('ID'), hostileJson);

/** Something like a JSON-RPC message, with random content. */
const message = fc
  .record(
    {
      jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: hostileJson }),
      id,
      method: fc.oneof(method, hostileJson),
      params: fc.oneof(fc.dictionary(param, fc.oneof(hostileJson, fc.constant('ID'))), hostileObject, hostileJson),
      result: fc.oneof(hostileObject, hostileJson),
      error: fc.oneof(hostileObject, hostileJson),
    },
    { requiredKeys: ['jsonrpc'] },
  )
  // No frame may answer the call itself: the real answer comes last and proves that all frames were read.
  .map(({ id: own, ...rest }) => (own === 'ID' && rest.method === undefined ? rest : { ...rest, id: own }))
  .map((value) => JSON.stringify(value).replaceAll('"ID"', 'ID'));

const frame = fc.oneof(
  { weight: 6, arbitrary: message },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((batch) => `[${batch.join(',')}]`) },
  { weight: 1, arbitrary: hostileJson.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: message.map((text) => text.slice(0, -3)) },
  { weight: 1, arbitrary: fc.constant(`${'['.repeat(5000)}${']'.repeat(5000)}`) },
  { weight: 1, arbitrary: hostileName.map((text) => text.replace(/[\r\n]/g, ' ')) },
);

const event = fc
  .tuple(
    fc.constantFrom('', 'event: message\n', 'event: endpoint\n', 'event: constructor\n'),
    fc.constantFrom(
      '',
      'id: 7\n',
      'id: \x01\n',
      'id: 漢\n',
      'id: a b\n',
      'retry: 0\n',
      'retry: 99999999999999999999\n',
      'retry: x\n',
    ),
    frame,
  )
  .map(([kind, field, data]) => `${kind === 'event: endpoint\n' ? '' : kind}${field}data: ${data}\n\n`);

/** A log level that String() cannot convert. */
const unspeakable = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: { toString: 1, valueOf: 1 }, data: 1 },
});

describe.each(['stdio', 'http', 'sse'] as const)('a hostile server over %s', (transport) => {
  test('cannot disturb the gateway or another server, whatever it sends', async () => {
    const tools = toolsNamed(['x', ...inherited]);
    await using hostile =
      transport === 'stdio' ? await hostileOverStdio(tools) : await hostileOverHttp(transport, tools);
    await using good = await startReference('http', 'legacy');
    await using gateway = await startGateway({
      mcpServers: { evil: { ...hostile.entry, callTimeout: '10s' }, good: good.entry },
    });
    await using client = await connectV2(gateway, { answer: () => ({ action: 'decline' }) });
    await client.setLoggingLevel('debug');
    await fc.assert(
      fc.asyncProperty(fc.array(transport === 'stdio' ? frame : event, { maxLength: 25 }), async (frames) => {
        await hostile.says(frames);
        await callTool(client, 'evil__x').catch(() => undefined);
        expect(textOf(await callTool(client, 'good__echo', { text: 'hi' }))).toContain('hi');
      }),
      { numRuns: 25, examples: [[transport === 'stdio' ? [unspeakable] : [`data: ${unspeakable}\n\n`]]] },
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('good__echo');
    expect(gateway.runtime.apis.gateway.status().backends).toMatchObject([
      { name: 'evil' },
      { name: 'good', state: 'RUNNING' },
    ]);
  });
});

test.each([
  ['a control character', '\x01'],
  ['letters beyond Latin-1', '漢'],
  ['a deletion', '\x7f'],
  ['nothing but a blank', ' '],
  ['ten thousand characters', 'x'.repeat(10_000)],
])('a stream that breaks off after an event id with %s fails only its call', async (_, lastId) => {
  await using hostile = await hostileOverHttp('http', toolsNamed(['x']));
  await using good = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { evil: hostile.entry, good: good.entry } });
  await using client = await connectV2(gateway);
  hostile.breakOff();
  await hostile.says([`id: ${lastId}\nretry: 99999999999999999999\ndata: \n\n`]);
  expect(textOf(await callTool(client, 'evil__x'))).toContain('broke off');
  expect(textOf(await callTool(client, 'good__echo', { text: 'hi' }))).toContain('hi');
});

test('tools named like properties of Object are listed and can be called, also after a restart', async () => {
  const home = await mkdtemp(join(root, 'home-'));
  await using hostile = await hostileOverStdio(toolsNamed(inherited));
  await using good = await startReference('http', 'legacy');
  const config = { mcpServers: { evil: hostile.entry, good: good.entry } };
  for (const settle of [true, false]) {
    await using gateway = await startGateway(config, { home, settle });
    await using client = await connectV2(gateway);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['evil__constructor', 'evil__toString', 'good__echo']));
    expect(textOf(await callTool(client, 'evil__constructor'))).toBe('done');
    expect(textOf(await callTool(client, 'evil:__proto__'))).toBe('done');
    expect(textOf(await callTool(client, 'good__echo', { text: 'hi' }))).toContain('hi');
    expect((await callTool(client, 'gateway_status')).isError).toBeFalsy();
  }
});

test('the gateway starts and lists other servers, whatever one server lists or the store contains', async () => {
  await using good = await startReference('http', 'legacy');
  await fc.assert(
    fc.asyncProperty(fc.array(hostileTool, { maxLength: 10 }), hostileJson, async (tools, kept) => {
      const home = await mkdtemp(join(root, 'home-'));
      await using hostile = await hostileOverStdio(tools);
      const config = { mcpServers: { evil: { ...hostile.entry, prefix: '' }, good: good.entry } };
      {
        await using gateway = await startGateway(config, { home });
        const evil = gateway.runtime.apis.gateway.backend('evil');
        if (!evil) throw new Error('it is configured');
        const poisoned = { ...evil.catalogue, tools: [kept, ...tools], hints: kept, rejected: kept };
        await gateway.runtime.store.catalogues.put('evil', fingerprintOf(evil.settings), poisoned);
      }
      await using gateway = await startGateway(config, { home, settle: false });
      await using client = await connectV2(gateway);
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('good__echo');
      expect(textOf(await callTool(client, 'good__echo', { text: 'hi' }))).toContain('hi');
    }),
    { numRuns: 4 },
  );
});
