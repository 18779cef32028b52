import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAllowances } from '../../../src/wire/allowance.ts';
import { startScripted } from '../../fixtures/scripted-server.ts';
import { type Json, modern, open, openSession, rpc, send, startGateway, startReference } from '../harness.ts';
import { as, serve } from '../../support/served-wire.ts';

const MB = 1024 * 1024;
const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());

/** Opens a stream without reading it. */
async function openUnread(url: string, headers: Record<string, string>, body?: Json): Promise<Unread> {
  const text = body && JSON.stringify(body);
  const sent = request(url, {
    method: text === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      ...(text && { 'content-type': 'application/json' }),
      ...headers,
    },
    agent: false,
  });
  sent.on('error', () => {});
  const response = await new Promise<IncomingMessage>((answered) => sent.once('response', answered).end(text));
  response.pause();
  return { response, [Symbol.dispose]: () => void sent.destroy() };
}

interface Unread extends Disposable {
  readonly response: IncomingMessage;
}

/** Reads the rest. Says how many bytes there were, and whether the stream was complete. */
async function readAll({ response }: Unread): Promise<{ bytes: number; whole: boolean }> {
  let bytes = 0;
  try {
    for await (const chunk of response) bytes += (chunk as Buffer).length;
  } catch {
    return { bytes, whole: false };
  }
  return { bytes, whole: response.complete };
}

const accept = { accept: 'text/event-stream' };
const initialize = rpc(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'x', version: '1' },
});

describe('sessions', () => {
  test('that are idle make room for new ones', async () => {
    await using gateway = await startGateway({ limits: { sessions: 5 } });
    const kept = await openSession(gateway.mcp);
    using _stream = await open(gateway.mcp, { headers: { ...kept, ...accept } });
    const opened: Record<string, string>[] = [];
    for (let n = 0; n < 40; n++) opened.push(await openSession(gateway.mcp));
    expect(gateway.runtime.apis.gateway.status().sessions).toBe(5);
    const ping = async (session: Record<string, string> | undefined) =>
      (await send(gateway.mcp, { headers: session ?? {}, body: rpc(1, 'ping') })).status;
    // The session with a stream is in use. Of the others the oldest go first.
    expect(await ping(kept)).toBe(200);
    for (const session of opened.slice(-4)) expect(await ping(session)).toBe(200);
    for (const session of opened.slice(0, -4)) expect(await ping(session)).toBe(404);
  });

  test('that are in use are not ended: a new one is refused with a remedy and Retry-After', async () => {
    await using gateway = await startGateway({ limits: { sessions: 2 } });
    const streams = [];
    for (let n = 0; n < 2; n++)
      streams.push(await open(gateway.mcp, { headers: { ...(await openSession(gateway.mcp)), ...accept } }));
    const refused = await send(gateway.mcp, { body: initialize });
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('5');
    expect(refused.text).toContain('limits.sessions');
    const { events } = await gateway.stored({ type: 'gateway.limit_reached' });
    expect(events.map(({ data }) => data)).toEqual([{ limit: 'sessions', principal: 'local', times: 1 }]);
    streams[0]?.close();
    await expect.poll(async () => (await send(gateway.mcp, { body: initialize })).status).toBe(200);
    streams[1]?.close();
  });

  test('of one caller do not displace those of another', async () => {
    await using gateway = await startGateway({});
    await using served = await serve(gateway, { limits: { sessions: 2, streams: 10, requests: 10 } });
    const first = await send(served.mcp, { headers: as('ada'), body: initialize });
    for (let n = 0; n < 20; n++) await send(served.mcp, { headers: as('mallory'), body: initialize });
    const session = { ...as('ada'), 'mcp-session-id': String(first.headers['mcp-session-id']) };
    expect((await send(served.mcp, { headers: session, body: rpc(1, 'ping') })).status).toBe(200);
    expect(served.sessions()).toBe(3);
  });

  test('do not store oversized capabilities of a client', async () => {
    await using gateway = await startGateway({});
    const params = { protocolVersion: '2025-11-25', capabilities: { experimental: { x: 'x'.repeat(100_000) } } };
    const { messages } = await send(gateway.mcp, { body: rpc(1, 'initialize', params) });
    expect(messages).toMatchObject([
      { error: { code: -32602, message: expect.stringContaining('capabilities') as string } },
    ]);
  });
});

describe('streams and requests', () => {
  test('too many streams of any kind are refused', async () => {
    await using gateway = await startGateway({ limits: { streams: 1 } });
    const session = await openSession(gateway.mcp);
    using first = await open(gateway.sse, { headers: accept });
    expect(first.status).toBe(200);
    const { headers, body } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const more = [
      await send(gateway.sse, { headers: accept }),
      await send(gateway.mcp, { headers: { ...session, ...accept } }),
      await send(gateway.mcp, { headers, body }),
    ];
    for (const { status, headers: answered, text } of more) {
      expect([status, answered['retry-after']]).toEqual([429, '5']);
      expect(text).toContain('limits.streams');
    }
    first.close();
    await expect.poll(async () => (await open(gateway.sse, { headers: accept })).status).toBe(200);
  });

  test('too many concurrent requests are refused, over MCP and REST', async () => {
    await using reference = await startReference('http', 'legacy');
    await using gateway = await startGateway({ mcpServers: { ref: reference.entry }, limits: { requests: 2 } });
    const slow = (tag: string) => modern('tools/call', { name: 'ref__slow', arguments: { ms: 60_000, tag } });
    const stop = new AbortController();
    const begun = ['a', 'b'].map((tag) => send(gateway.mcp, { ...slow(tag), signal: stop.signal }).catch(() => {}));
    await expect.poll(() => reference.world.journal.length).toBe(2);
    const over = [await send(gateway.mcp, modern('tools/list')), await send(`${gateway.url}/api/v1/mcp/tools`)];
    for (const { status, headers, text } of over) {
      expect([status, headers['retry-after']]).toEqual([429, '5']);
      expect(text).toContain('limits.requests');
    }
    stop.abort();
    await Promise.all(begun);
    await expect.poll(async () => (await send(gateway.mcp, modern('tools/list'))).status).toBe(200);
    expect((await send(`${gateway.url}/api/v1/mcp/tools`)).status).toBe(200);
  });

  test('event streams are limited per caller', async () => {
    await using gateway = await startGateway({});
    const url = `${gateway.url}/api/v1/events`;
    const streams = await Promise.all(Array.from({ length: 100 }, () => open(url, { headers: accept })));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    const more = await send(url, { headers: accept });
    expect([more.status, more.headers['retry-after']]).toEqual([429, '5']);
    for (const stream of streams) stream.close();
  });

  test('a batch of more than 1000 messages is refused', async () => {
    await using gateway = await startGateway({});
    const session = await openSession(gateway.mcp, { version: '2025-03-26' });
    const batch = Array.from({ length: 1001 }, (_, id) => rpc(id, 'ping'));
    const refused = await send(gateway.mcp, { headers: session, body: batch });
    expect([refused.status, refused.messages]).toMatchObject([
      400,
      [{ error: { message: expect.stringContaining('1000') as string } }],
    ]);
  });
});

describe('a server with one connection per session', () => {
  test('serves ever new sessions within the connection limit of the caller', async () => {
    await using reference = await startReference('http', 'legacy');
    const own = { ...reference.entry, isolation: 'session' };
    await using gateway = await startGateway({ mcpServers: { own }, limits: { connections: 2 } });
    const call = rpc(1, 'tools/call', { name: 'own__echo', arguments: { text: 'here' } });
    const sessions: Record<string, string>[] = [];
    for (let n = 0; n < 12; n++) {
      const session = await openSession(gateway.mcp);
      sessions.push(session);
      expect((await send(gateway.mcp, { headers: session, body: call })).text).toContain('here');
    }
    expect(gateway.runtime.apis.gateway.backend('own')?.lanes.all()).toHaveLength(3);
    // A session loses its state with its connection. Its client gets a 404, so that it initializes again.
    const statuses = await Promise.all(
      sessions.map(async (headers) => (await send(gateway.mcp, { headers, body: rpc(2, 'ping') })).status),
    );
    expect(statuses).toEqual([...Array<number>(10).fill(404), 200, 200]);
  });

  test('says when to retry if all connections are in use', async () => {
    await using reference = await startReference('http', 'legacy');
    const own = { ...reference.entry, isolation: 'session' };
    await using gateway = await startGateway({ mcpServers: { own }, limits: { connections: 1 } });
    const session = await openSession(gateway.mcp);
    using _stream = await open(gateway.mcp, { headers: { ...session, ...accept } });
    const call = rpc(1, 'tools/call', { name: 'own__echo', arguments: { text: 'here' } });
    expect((await send(gateway.mcp, { headers: session, body: call })).text).toContain('here');
    const other = await openSession(gateway.mcp);
    const { messages } = await send(gateway.mcp, { headers: other, body: call });
    expect(messages).toMatchObject([{ result: { isError: true } }]);
    expect(JSON.stringify(messages)).toContain('limits.connections');
    const invoked = await send(`${gateway.url}/api/v1/mcp/tools/own__echo/invoke`, { body: { text: 'here' } });
    expect([invoked.status, invoked.headers['retry-after']]).toEqual([429, '5']);
  });
});

describe('a client that does not read', () => {
  const text = 'x'.repeat(64 * 1024);
  const flood = (reply: { send(message: Json): void }, params: Json) => {
    for (let bytes = 0; bytes < 32 * MB; bytes += text.length) {
      const { progressToken } = params._meta as Json;
      const progress = { progressToken, progress: bytes, message: text };
      reply.send({ jsonrpc: '2.0', method: 'notifications/progress', params: progress });
    }
  };
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  beforeAll(async () => {
    const scripted = stack.use(
      await startScripted('legacy', {
        'tools/list': () => ({
          tools: ['flood', 'large'].map((name) => ({ name, inputSchema: { type: 'object' } })),
        }),
        'tools/call'({ name, ...params }, reply) {
          if (name === 'large') return { content: [{ type: 'text', text: 'y'.repeat(12 * MB) }] };
          flood(reply, params);
          return { content: [] };
        },
      }),
    );
    gateway = stack.use(await startGateway({ mcpServers: { scripted: scripted.entry } }));
  });

  const call = (name: string, id = 1) =>
    ({ name: `scripted__${name}`, arguments: {}, _meta: { progressToken: id } }) satisfies Json;

  /** Serves that gateway and records which limits were hit. */
  async function counted() {
    const cuts: string[] = [];
    const allowances = createAllowances({ reached: ({ limit }) => void cuts.push(limit) });
    return { cuts, served: await serve(gateway, { allowances }) };
  }

  test('is cut off on the stream of a session', async () => {
    const { cuts, served } = await counted();
    await using _ = served;
    const session = await openSession(served.mcp);
    using unread = await openUnread(served.mcp, session, rpc(1, 'tools/call', call('flood')));
    await expect.poll(() => cuts).toEqual(['unread stream']);
    const { bytes, whole } = await readAll(unread);
    expect([bytes < 32 * MB, whole]).toEqual([true, false]);
    // The session and its last messages are still available.
    expect((await send(served.mcp, { headers: session, body: rpc(9, 'ping') })).status).toBe(200);
    const again = { ...session, ...accept, 'last-event-id': '2-0' };
    const { messages } = await send(served.mcp, { headers: again });
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { content: [] } });
  });

  test('is cut off on the stream of a 2026 call', async () => {
    const { cuts, served } = await counted();
    await using _ = served;
    const { headers, body } = modern('tools/call', call('flood'), { meta: { progressToken: 1 } });
    using unread = await openUnread(served.mcp, headers, body);
    await expect.poll(() => cuts).toEqual(['unread stream']);
    const { bytes, whole } = await readAll(unread);
    expect([bytes < 32 * MB, whole]).toEqual([true, false]);
  });

  test('is cut off on the legacy stream', async () => {
    const { cuts, served } = await counted();
    await using _ = served;
    using unread = await openUnread(served.url.concat('/sse'), {});
    const endpoint = String(await new Promise((resolve) => unread.response.once('data', resolve).resume()));
    unread.response.pause();
    const url = `${served.url}${/data: (.*)\n/.exec(endpoint)?.[1]}`;
    await send(url, { body: initialize });
    await send(url, { body: rpc(2, 'tools/call', call('flood', 2)) });
    await expect.poll(() => cuts).toEqual(['unread stream']);
    expect((await readAll(unread)).whole).toBe(false);
    expect(served.sessions()).toBe(0);
  });

  test('still gets a single large answer, however slowly it reads', async () => {
    const { cuts, served } = await counted();
    await using _ = served;
    const session = await openSession(served.mcp);
    using unread = await openUnread(served.mcp, session, rpc(1, 'tools/call', call('large')));
    expect((await send(served.mcp, { headers: session, body: rpc(2, 'ping') })).status).toBe(200);
    const { bytes, whole } = await readAll(unread);
    expect([bytes > 12 * MB, whole, cuts]).toEqual([true, true, []]);
  });
});

describe('a token that expires', () => {
  test('closes its streams; the user continues the session with a new token', async () => {
    await using gateway = await startGateway({});
    const ada = { scopes: 'all' as const, expires: Date.now() + 3000 };
    const people = { ada: { ...ada }, later: { ...ada, id: 'ada', expires: Date.now() + 3_600_000 } };
    await using served = await serve(gateway, { people });
    const opened = await send(served.mcp, { headers: as('ada'), body: initialize });
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const renewed = await send(served.mcp, { headers: as('ada'), body: initialize });
    const renewedSession = { 'mcp-session-id': String(renewed.headers['mcp-session-id']) };
    const { headers, body } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const streams = await Promise.all([
      open(served.mcp, { headers: { ...as('ada'), ...session, ...accept } }),
      open(`${served.url}/sse`, { headers: { ...as('ada'), ...accept } }),
      open(served.mcp, { headers: { ...as('ada'), ...headers }, body }),
    ]);
    using stays = await open(served.mcp, { headers: { ...as('ada'), ...renewedSession, ...accept } });
    let hasEnded = false;
    void stays.ended.then(() => {
      hasEnded = true;
    });
    const ping = { headers: { ...as('later'), ...renewedSession }, body: rpc(1, 'ping') };
    expect((await send(served.mcp, ping)).status).toBe(200);
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    await Promise.all(streams.map(({ ended }) => ended));
    expect(Date.now()).toBeGreaterThanOrEqual(ada.expires);
    // The session accepts the new token. A session that got one before the expiry kept its stream.
    const again = await send(served.mcp, { headers: { ...as('later'), ...session }, body: rpc(2, 'ping') });
    expect(again.status).toBe(200);
    expect(hasEnded).toBe(false);
  });
});
