import { randomBytes } from 'node:crypto';
import { connect as connectTcp, type Socket } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { createKey, revokeKey } from '../../../src/auth/keys.ts';
import type { KeyGrant } from '../../../src/store/store.ts';
import { listenAt } from '../../../src/server/listening.ts';
import { createAllowances } from '../../../src/wire/allowance.ts';
import { raw } from '../../support/raw-http.ts';
import { serve } from '../../support/served-wire.ts';
import {
  callTool,
  type Json,
  type LocalReference,
  modern,
  rpc,
  send,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from '../harness.ts';

const addressOf = (url: string, path = '/ws') => new URL(path, url.replace('http', 'ws'));

/** The SDK's own client, which offers the subprotocol mcp and sends no headers. */
async function sdkClient(url: string, path?: string, capabilities: Json = {}): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'websocket-test', version: '1.0.0' }, { capabilities });
  if (capabilities.elicitation)
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { value: 'forty-two' } }));
  if (capabilities.sampling)
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      model: 'none',
      role: 'assistant',
      content: { type: 'text', text: 'I am a model' },
    }));
  await client.connect(new WebSocketClientTransport(addressOf(url, path)));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

interface Closed {
  code: number;
  reason: string;
}

interface Plain extends AsyncDisposable {
  readonly socket: WebSocket;
  readonly received: Json[];
  readonly closed: Promise<Closed>;
  send(message: unknown): void;
  /** Waits for the answer to this request. */
  answer(id: number | string | null): Promise<Json & { error?: Json; result?: Json }>;
  request(id: number | string, method: string, params?: Json): Promise<Json & { error?: Json; result?: Json }>;
}

interface PlainOptions extends ClientOptions {
  path?: string;
  protocols?: string[];
}

/** A bare socket, which can do everything that an SDK client would not. */
async function plain(url: string, options: PlainOptions = {}): Promise<Plain> {
  const { path, protocols = ['mcp'], ...rest } = options;
  const socket = new WebSocket(addressOf(url, path), protocols, { perMessageDeflate: false, ...rest });
  const received: Json[] = [];
  const closed = new Promise<Closed>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  socket.on('message', (data) => received.push(...[JSON.parse((data as Buffer).toString()) as Json].flat()));
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  const write = (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  const answer = async (id: number | string | null) => {
    const find = () => received.find((message) => message.id === id && !('method' in message));
    await expect.poll(find, { timeout: 20_000 }).toBeDefined();
    return find() as Json;
  };
  return {
    socket,
    received,
    closed,
    send: write,
    answer,
    request(id, method, params) {
      write(rpc(id, method, params));
      return answer(id);
    },
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await closed;
    },
  };
}

/** The HTTP answer that a handshake gets instead of a socket. */
function refused(url: string, options: PlainOptions = {}) {
  const { path, protocols = ['mcp'], ...rest } = options;
  const socket = new WebSocket(addressOf(url, path), protocols, rest);
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    socket.on('open', () => reject(new Error('The socket was opened.')));
    socket.on('error', reject);
    socket.on('unexpected-response', (_, response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
  });
}

const introduction = (version = '2025-11-25') => ({
  protocolVersion: version,
  capabilities: {},
  clientInfo: { name: 'plain', version: '1' },
});

const echo = (text: string) => ({ name: 'ref__echo', arguments: { text } });
const slow = (ms: number, tag: string) => ({ name: 'ref__slow', arguments: { ms, tag } });

let backend: LocalReference;
let gateway: TestGateway;
beforeAll(async () => {
  backend = await startReference('http', 'both');
  gateway = await startGateway({
    mcpServers: { ref: backend.entry, other: backend.entry },
    toolsets: { small: { include: ['ref__echo'] } },
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await backend[Symbol.asyncDispose]();
});

describe('the SDK client', () => {
  test('initializes, lists and calls', async () => {
    await using client = await sdkClient(gateway.url);
    expect(client.getServerVersion()?.name).toBeDefined();
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['ref__echo', 'other__echo']));
    expect(textOf(await callTool(client, 'ref__echo', { text: 'über 🚰' }))).toBe('über 🚰');
  });

  test('gets progress', async () => {
    await using client = await sdkClient(gateway.url);
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
    await callTool(client, 'ref__slow', { ms: 100 }, { onprogress });
    // This client may drop the last one if the answer follows at once.
    expect(seen.slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test.each([
    ['elicitation', 'forty-two'],
    ['sampling', 'I am a model'],
  ])('is asked by a server: %s', async (kind, told) => {
    await using client = await sdkClient(gateway.url, '/ws', { [kind]: {} });
    expect(textOf(await callTool(client, 'ref__ask', { kind, tag: 'a' }))).toContain(told);
  });

  test('cancels a call', async () => {
    await using client = await sdkClient(gateway.url);
    const abort = new AbortController();
    const call = callTool(client, 'ref__slow', { ms: 20_000, tag: 'socket' }, { signal: abort.signal });
    call.catch(() => {});
    await expect.poll(() => backend.world.journal).toContain('slow started socket');
    abort.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await expect.poll(() => backend.world.journal).toContain('slow cancelled socket');
  });

  test('cancels its calls by leaving', async () => {
    const client = await sdkClient(gateway.url);
    callTool(client, 'ref__slow', { ms: 20_000, tag: 'leaver' }).catch(() => {});
    await expect.poll(() => backend.world.journal).toContain('slow started leaver');
    await client.close();
    await expect.poll(() => backend.world.journal).toContain('slow cancelled leaver');
  });

  test('hears that the list of tools changed', async () => {
    await using client = await sdkClient(gateway.url);
    let heard = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard++);
    await expect
      .poll(
        async () => {
          if (heard === 0) await backend.world.toggle('tools');
          return heard;
        },
        { timeout: 10_000, interval: 200 },
      )
      .toBeGreaterThan(0);
  });

  test('sees the toolset and the exposure of its URL', async () => {
    await using small = await sdkClient(gateway.url, '/ws/small');
    expect((await small.listTools()).tools.map(({ name }) => name)).toEqual(['ref__echo']);
    await using search = await sdkClient(gateway.url, '/ws?expose=search');
    const names = (await search.listTools()).tools.map(({ name }) => name);
    expect(names).not.toContain('ref__echo');
    expect(names.length).toBeGreaterThan(0);
  });

  test('has 1,000 calls in flight on one socket, each with its own answer', async () => {
    await using client = await sdkClient(gateway.url);
    const texts = Array.from({ length: 1000 }, (_, n) => `call ${n}`);
    const answers = await Promise.all(
      texts.map((text) => callTool(client, 'ref__echo', { text }, { timeout: 60_000 }).then(textOf)),
    );
    expect(answers).toEqual(texts);
  });
});

describe('messages', () => {
  test('of 2026-07-28 are answered beside those of 2025', async () => {
    await using client = await plain(gateway.url);
    client.send(modern('tools/call', echo('new'), { id: 'new' }).body);
    expect(textOf((await client.answer('new')).result as Json)).toBe('new');
    expect((await client.request(1, 'initialize', introduction())).result?.protocolVersion).toBe('2025-11-25');
    client.send(
      modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: 'listening' }).body,
    );
    await expect
      .poll(() => client.received.map(({ method }) => method))
      .toContain('notifications/subscriptions/acknowledged');
  });

  test('arrive in order: all progress, then the answer', async () => {
    await using client = await plain(gateway.url);
    await client.request(0, 'initialize', introduction());
    client.received.length = 0;
    await client.request(1, 'tools/call', { ...slow(100, 'ordered'), _meta: { progressToken: 'token' } });
    const order = client.received.map(({ id, params }) => id ?? (params as Json).progress);
    expect(order).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1]);
  });

  test('that are not JSON, or not messages, get an error and leave the socket open', async () => {
    await using client = await plain(gateway.url);
    client.send('{"jsonrpc":');
    expect((await client.answer(null)).error?.code).toBe(-32700);
    client.received.length = 0;
    client.send({ jsonrpc: '2.0', id: 7 });
    expect((await client.answer(7)).error?.code).toBe(-32600);
    expect((await client.request(8, 'ping')).result).toEqual({});
  });

  test('come in batches only in 2025-03-26', async () => {
    await using old = await plain(gateway.url);
    await old.request(0, 'initialize', introduction('2025-03-26'));
    old.send([rpc(1, 'ping'), rpc(2, 'tools/call', echo('batched'))]);
    expect((await old.answer(1)).result).toEqual({});
    expect(textOf((await old.answer(2)).result as Json)).toBe('batched');
    old.send([...Array(1001).keys()].map((id) => rpc(1000 + id, 'ping')));
    expect((await old.answer(null)).error?.message).toBe('A batch may contain at most 1000 messages.');
    await using recent = await plain(gateway.url);
    await recent.request(0, 'initialize', introduction());
    recent.send([rpc(1, 'ping')]);
    expect((await recent.answer(null)).error?.message).toContain('2025-03-26');
  });

  test('of two sockets stay apart, even with equal ids', async () => {
    await using one = await plain(gateway.url);
    await using two = await plain(gateway.url);
    const answers = await Promise.all([
      one.request(1, 'tools/call', echo('one')),
      two.request(1, 'tools/call', echo('two')),
    ]);
    expect(answers.map(({ result }) => textOf(result as Json))).toEqual(['one', 'two']);
  });
});

describe('a handshake', () => {
  test('selects mcp, and no extension', async () => {
    await using client = await plain(gateway.url, { protocols: ['other', 'mcp'], perMessageDeflate: true });
    expect(client.socket.protocol).toBe('mcp');
    expect(client.socket.extensions).toBe('');
  });

  test('may offer no subprotocol', async () => {
    await using client = await plain(gateway.url, { protocols: [] });
    expect((await client.request(1, 'ping')).result).toEqual({});
  });

  test('that offers only others is refused', async () => {
    const { status, text } = await refused(gateway.url, { protocols: ['graphql-ws'] });
    expect(status).toBe(400);
    expect(text).toContain('Offer mcp.');
  });

  test('from a foreign origin is refused', async () => {
    const { status, text } = await refused(gateway.url, { origin: 'https://evil.example' });
    expect(status).toBe(403);
    expect(text).toContain('server.allowedOrigins');
  });

  test('for an unknown Host is refused', async () => {
    const { status } = await refused(gateway.url, { headers: { host: 'rebound.example' } });
    expect(status).toBe(403);
  });

  test('for an unknown toolset or exposure is refused', async () => {
    expect((await refused(gateway.url, { path: '/ws/unknown' })).status).toBe(404);
    expect((await refused(gateway.url, { path: '/ws?expose=all' })).status).toBe(404);
  });

  test.each(['/mcp', '/status', '/unknown', '/wss'])('at %s is no handshake', async (path) => {
    const { status } = await refused(gateway.url, { path });
    expect(status).not.toBe(101);
  });

  test('is required at /ws', async () => {
    const { status, headers, text } = await send(`${gateway.url}/ws`);
    expect(status).toBe(426);
    expect(headers.upgrade).toBe('websocket');
    expect(text).toContain('subprotocol mcp');
  });

  test('behind a request that still waits for its answer ends the connection', async () => {
    const body = JSON.stringify(rpc(1, 'tools/call', slow(20_000, 'pipelined')));
    const first = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const second = handshake('Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==');
    expect((await raw(gateway.url, `${first}${second}`)).statuses).not.toContain(101);
    await using client = await plain(gateway.url);
    expect((await client.request(1, 'ping')).result).toEqual({});
  });

  test('waits until the server is ready', async () => {
    await using listening = await listenAt('127.0.0.1', 0);
    const answer = refused(listening.url);
    // Another connection comes and goes, so the handshake has arrived by now.
    await raw(listening.url, 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n', 100);
    listening.serve(
      () => {},
      (_, socket) => socket.end('HTTP/1.1 418 Here\r\nContent-Length: 0\r\n\r\n'),
    );
    expect((await answer).status).toBe(418);
  });

  test('that waits ends with a server that never becomes ready', async () => {
    const listening = await listenAt('127.0.0.1', 0);
    const answer = refused(listening.url);
    answer.catch(() => {});
    await listening[Symbol.asyncDispose]();
    await expect(answer).rejects.toThrow(/ECONN|hang up|EPIPE/);
  });

  test('offered by other protocols changes nothing for them', async () => {
    const body = JSON.stringify(rpc(1, 'tools/list'));
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { statuses, text } = await raw(gateway.url, `${head}${body}`, 500);
    expect(statuses).toEqual([200]);
    expect(text).toContain('ref__echo');
  });

  test.each([
    ['no key', 'Sec-WebSocket-Version: 13'],
    ['an odd version', 'Sec-WebSocket-Version: 7\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='],
    [
      'a malformed list of subprotocols',
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: mcp, mcp',
    ],
  ])('with %s is refused, and is not counted', async (_, headers) => {
    await using wire = await serve(gateway, { limits: { sessions: 1, streams: 1, requests: 1 } });
    const { statuses } = await raw(wire.url, handshake(headers));
    expect(statuses).toEqual([400]);
    await using client = await plain(wire.url);
    expect((await client.request(1, 'ping')).result).toEqual({});
  });
});

function handshake(headers: string, path = '/ws'): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n\r\n`;
}

describe('keys', () => {
  let guarded: TestGateway;
  beforeAll(async () => {
    guarded = await startGateway({
      auth: { mode: 'keys' },
      mcpServers: { ref: backend.entry },
      server: { allowedOrigins: ['https://app.example'] },
    });
  });
  afterAll(() => guarded[Symbol.asyncDispose]());

  let made = 0;
  const key = (more: Partial<KeyGrant> = {}) =>
    createKey(guarded.runtime.store.keys, {
      name: `k${made++}`,
      scopes: ['tools:execute'],
      createdAt: new Date().toISOString(),
      createdBy: 'test',
      ...more,
    });

  test('are accepted in either header, and as a subprotocol', async () => {
    const { key: text } = await key();
    const ways: PlainOptions[] = [
      { headers: { authorization: `Bearer ${text}` } },
      { headers: { 'x-api-key': text } },
      { protocols: ['mcp', `bearer.${text}`], origin: 'https://app.example' },
      { protocols: [`bearer.${text}`, 'mcp'] },
    ];
    for (const way of ways) {
      await using client = await plain(guarded.url, way);
      expect(client.socket.protocol).toBe('mcp');
      expect(textOf((await client.request(1, 'tools/call', echo('in'))).result as Json)).toBe('in');
    }
  });

  test('that are missing or wrong are refused before the upgrade, with a challenge', async () => {
    const missing = await refused(guarded.url);
    expect(missing.status).toBe(401);
    expect(missing.headers['www-authenticate']).toMatch(/^Bearer/);
    const { key: text } = await key();
    const wrong = `${text.slice(0, -4)}AAAA`;
    const answer = await refused(guarded.url, { protocols: ['mcp', `bearer.${wrong}`] });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toContain('invalid_token');
    expect(answer.text).not.toContain(wrong);
    const events = JSON.stringify(await guarded.stored({}));
    expect(events).not.toContain(wrong);
    expect((await refused(guarded.url, { path: `/ws?key=${text}` })).status).toBe(401);
    expect((await send(`${guarded.url}/ws`)).status).toBe(401);
  });

  test('that differ are refused', async () => {
    const { key: text } = await key();
    const headers = { authorization: 'Bearer other' };
    expect((await refused(guarded.url, { headers, protocols: ['mcp', `bearer.${text}`] })).status).toBe(400);
  });

  test('without mcp beside them are refused', async () => {
    const { key: text } = await key();
    expect((await refused(guarded.url, { protocols: [`bearer.${text}`] })).status).toBe(400);
  });

  test('that are revoked end their sockets, and only theirs', async () => {
    const [gone, kept] = [await key(), await key()];
    await using client = await plain(guarded.url, { protocols: ['mcp', `bearer.${gone.key}`] });
    await using other = await plain(guarded.url, { protocols: ['mcp', `bearer.${kept.key}`] });
    client.send(rpc(1, 'tools/call', slow(20_000, 'revoked')));
    await expect.poll(() => backend.world.journal).toContain('slow started revoked');
    await revokeKey(guarded.runtime.store.keys, gone.id, new Date());
    expect(await client.closed).toEqual({ code: 1008, reason: 'The key of this session no longer works.' });
    await expect.poll(() => backend.world.journal).toContain('slow cancelled revoked');
    expect((await other.request(1, 'ping')).result).toEqual({});
  });

  test('have a rate limit that counts every message', async () => {
    const { key: text } = await key({ rate: '4/h' });
    await using client = await plain(guarded.url, { protocols: ['mcp', `bearer.${text}`] });
    for (const id of [1, 2, 3]) expect((await client.request(id, 'ping')).result).toEqual({});
    const { error } = await client.request(4, 'ping');
    expect(error).toMatchObject({ code: -32000, message: expect.stringContaining('Too many requests: try again in') });
    expect(error?.data).toMatchObject({ retryable: true, retryAfter: expect.any(Number) });
    expect((await refused(guarded.url, { protocols: ['mcp', `bearer.${text}`] })).status).toBe(429);
  });
});

describe('limits', () => {
  const limits = { sessions: 2, streams: 2, requests: 3 };

  test('count sockets as sessions and streams, and take them back', async () => {
    await using wire = await serve(gateway, { limits });
    const one = await plain(wire.url);
    await using two = await plain(wire.url);
    expect(wire.sessions()).toBe(2);
    const { status, headers, text } = await refused(wire.url);
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe('5');
    expect(text).toContain('limits.sessions');
    await one[Symbol.asyncDispose]();
    await expect.poll(wire.sessions).toBe(1);
    await using three = await plain(wire.url);
    expect((await three.request(1, 'ping')).result).toEqual({});
    expect((await two.request(1, 'ping')).result).toEqual({});
  });

  test('take the place of idle sessions over HTTP', async () => {
    await using wire = await serve(gateway, { limits });
    for (const id of [1, 2]) await send(wire.mcp, { body: rpc(id, 'initialize', introduction()) });
    expect(wire.sessions()).toBe(2);
    await using client = await plain(wire.url);
    expect((await client.request(1, 'ping')).result).toEqual({});
    expect(wire.sessions()).toBe(2);
  });

  test('count requests in progress', async () => {
    await using wire = await serve(gateway, { limits });
    await using client = await plain(wire.url);
    for (const id of [1, 2, 3]) client.send(rpc(id, 'tools/call', slow(20_000, `limited ${id}`)));
    const { error } = await client.request(4, 'ping');
    expect(error?.message).toContain('limits.requests');
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await expect
      .poll(async () => {
        client.received.length = 0;
        return (await client.request(5, 'ping')).result;
      })
      .toEqual({});
  });

  test('close a socket whose message is too large', async () => {
    await using wire = await serve(gateway, { bodyLimit: 10_000 });
    await using client = await plain(wire.url);
    client.send(rpc(1, 'ping', { fill: 'x'.repeat(10_000) }));
    expect((await client.closed).code).toBe(1009);
    await using other = await plain(wire.url);
    other.send(rpc(1, 'tools/call', echo('x'.repeat(9000))));
    expect(textOf((await other.answer(1)).result as Json)).toHaveLength(9000);
  });

  test('cut a client that goes on without reading', async () => {
    await using wire = await serve(gateway);
    await using client = await plain(wire.url);
    await client.request(0, 'initialize', introduction());
    client.socket.pause();
    const big = { name: 'ref__big', arguments: { bytes: 4_000_000 } };
    for (let id = 1; id <= 8; id++) client.send(rpc(id, 'tools/call', big));
    const pings = setInterval(() => client.socket.ping(), 20);
    await expect.poll(wire.sessions, { timeout: 20_000 }).toBe(0);
    clearInterval(pings);
  });

  test('count messages that arrive in parts', async () => {
    const allowances = createAllowances();
    const allowance = allowances.of('somebody');
    const others = 256 * 1024 * 1024 - 100_000;
    allowance.takeMore(others);
    await using wire = await serve(gateway, { allowances });
    await using client = await plain(wire.url);
    client.socket.send('x'.repeat(60_000), { fin: false });
    await expect.poll(() => allowance.bodyBytes - others).toBeGreaterThan(60_000);
    client.socket.send('x'.repeat(60_000), { fin: false });
    expect(await client.closed).toMatchObject({ code: 1013, reason: expect.stringContaining('too many bytes') });
    await expect.poll(() => allowance.bodyBytes).toBe(others);
  });
});

describe('a socket', () => {
  test('stays open while the client answers pings, and is ended if it does not', async () => {
    await using wire = await serve(gateway, { keepAliveMs: 100 });
    await using client = await plain(wire.url);
    let pings = 0;
    client.socket.on('ping', () => pings++);
    await expect.poll(() => pings, { timeout: 5000 }).toBeGreaterThan(5);
    expect((await client.request(1, 'ping')).result).toEqual({});
    await using silent = await plain(wire.url, { autoPong: false });
    expect((await silent.closed).code).toBe(1006);
    await expect.poll(wire.sessions).toBe(1);
  });

  test('is closed when the token expires', async () => {
    await using wire = await serve(gateway, { people: { somebody: { expires: Date.now() + 1500 } } });
    await using client = await plain(wire.url);
    expect((await client.request(1, 'ping')).result).toEqual({});
    expect(await client.closed).toEqual({ code: 1008, reason: 'The token of this connection has expired.' });
  });

  test('is told why when the gateway stops, after its calls were answered', async () => {
    const stopping = await startGateway({ mcpServers: { ref: backend.entry } });
    await using client = await plain(stopping.url);
    await using deaf = await plain(stopping.url);
    deaf.socket.pause();
    await client.request(0, 'initialize', introduction());
    client.send(rpc(1, 'tools/call', slow(20_000, 'stopped')));
    client.send(modern('tools/call', slow(20_000, 'stopped too'), { id: 'new' }).body);
    await expect
      .poll(() => backend.world.journal)
      .toEqual(expect.arrayContaining(['slow started stopped', 'slow started stopped too']));
    const stopped = stopping[Symbol.asyncDispose]();
    expect(await client.closed).toEqual({ code: 1001, reason: 'The gateway is stopping.' });
    for (const id of [1, 'new']) expect(JSON.stringify(await client.answer(id))).toContain('The gateway is stopping.');
    await stopped;
    expect(stopping.url).toBeDefined();
  });
});

describe('hostile frames', () => {
  /** A socket after its handshake, for bytes that no library would send. */
  async function bytes(url: string): Promise<{ socket: Socket; seen: () => Buffer; closed: Promise<void> }> {
    const { hostname, port } = new URL(url);
    const socket = connectTcp(Number(port), hostname);
    let seen = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      seen = Buffer.concat([seen, chunk]);
    });
    socket.on('error', () => {});
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    const key = randomBytes(16).toString('base64');
    socket.write(handshake(`Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Protocol: mcp`));
    await expect.poll(() => seen.toString('latin1')).toContain('\r\n\r\n');
    expect(seen.toString('latin1')).toMatch(/^HTTP\/1\.1 101 /);
    seen = Buffer.alloc(0);
    return { socket, seen: () => seen, closed };
  }

  /** The code in a close frame from the server. */
  const codeIn = (seen: Buffer) => (seen[0] === 0x88 ? seen.readUInt16BE(2) : undefined);
  const masked = (first: number, payload: Buffer) =>
    Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), payload]);

  test('binary ones are refused', async () => {
    await using client = await plain(gateway.url);
    client.socket.send(Buffer.from(JSON.stringify(rpc(1, 'ping'))), { binary: true });
    client.send(rpc(2, 'ping'));
    expect((await client.closed).code).toBe(1003);
    expect(client.received).toEqual([]);
  });

  test.each([
    ['without a mask', Buffer.from([0x81, 0x02, 0x7b, 0x7d]), 1002],
    ['with a reserved bit', masked(0xc1, Buffer.from('{}')), 1002],
    ['with an unknown opcode', masked(0x83, Buffer.from('{}')), 1002],
    ['that continue nothing', masked(0x80, Buffer.from('{}')), 1002],
    ['with text that is not UTF-8', masked(0x81, Buffer.from([0xff, 0xfe])), 1007],
    ['with a length beyond the limit', Buffer.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0]), 1009],
    ['with an impossible length', Buffer.from([0x81, 0xff, 255, 255, 255, 255, 255, 255, 255, 255]), 1009],
    ['with a fragmented ping', masked(0x09, Buffer.from('x')), 1002],
    ['with a close code of one byte', masked(0x88, Buffer.from('x')), 1002],
  ])('those %s end the socket', async (_, frame, status) => {
    const { socket, seen, closed } = await bytes(gateway.url);
    socket.write(frame);
    await expect.poll(() => codeIn(seen())).toBe(status);
    socket.end();
    await closed;
  });

  test('a message in 20,000 fragments ends the socket', async () => {
    const { socket, seen, closed } = await bytes(gateway.url);
    const parts = [masked(0x01, Buffer.from('"'))];
    for (let n = 0; n < 20_000; n++) parts.push(masked(0x00, Buffer.from('x')));
    socket.write(Buffer.concat(parts));
    await expect.poll(() => codeIn(seen())).toBe(1008);
    socket.destroy();
    await closed;
  });

  test('a message in a few fragments, with a ping in between, is whole', async () => {
    const { socket, seen, closed } = await bytes(gateway.url);
    const text = JSON.stringify(rpc(1, 'ping'));
    socket.write(masked(0x01, Buffer.from(text.slice(0, 10))));
    socket.write(masked(0x89, Buffer.from('p')));
    socket.write(masked(0x00, Buffer.from(text.slice(10, 20))));
    socket.write(masked(0x80, Buffer.from(text.slice(20))));
    await expect.poll(() => seen().toString('latin1')).toContain('"result":{}');
    socket.destroy();
    await closed;
  });

  test('sockets that vanish leave nothing behind', async () => {
    await using wire = await serve(gateway);
    const many = await Promise.all(Array.from({ length: 50 }, () => bytes(wire.url)));
    expect(wire.sessions()).toBe(50);
    for (const { socket } of many) {
      socket.write(Buffer.from([0x81, 0xfe, 0x10, 0x00, 0, 0, 0, 0, 0x7b]));
      socket.resetAndDestroy();
    }
    await expect.poll(wire.sessions).toBe(0);
  });
});
