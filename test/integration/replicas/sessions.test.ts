import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { FORWARDED, forwardedHeader } from '../../../src/wire/forwarded-header.ts';
import { askIn, call, callIn, said } from '../../support/exchange.ts';
import { type Balancer, startBalancer } from '../../support/balancer.ts';
import { type Cluster, createCluster, nextPeers } from '../../support/fake-peers.ts';
import {
  type AnyClient,
  callTool,
  connectV1,
  connectV2,
  type Json,
  type LocalReference,
  modern,
  open,
  openSession,
  rpc,
  send,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from '../harness.ts';

vi.mock('../../../src/store/open.ts', async (original) => {
  const { withPeers } = await import('../../support/fake-peers.ts');
  const { openStore } = await original<{ openStore: Parameters<typeof withPeers>[0] }>();
  return { openStore: withPeers(openStore) };
});

const answer = () => ({ action: 'accept', content: { value: 'forty-two' } });
const elicits = { capabilities: { elicitation: { form: {} } } };
const sse = { accept: 'text/event-stream' };

let reference: LocalReference;
let cluster: Cluster;
let a: TestGateway;
let b: TestGateway;
let balancer: Balancer;
let stack: AsyncDisposableStack;

/** Starts a gateway that is one replica of the cluster. */
async function startReplica(id: string, config: object = {}): Promise<TestGateway> {
  nextPeers.push(cluster.join(id));
  const gateway = await startGateway({ mcpServers: { ref: reference.entry }, auth: { mode: 'none' }, ...config });
  const stop = gateway[Symbol.asyncDispose];
  return {
    ...gateway,
    async [Symbol.asyncDispose]() {
      cluster.bury(id);
      await stop();
    },
  };
}

/** A replica that is no gateway: it does with forwarded requests what the test says. */
async function startOdd(id: string, listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cluster.set(id, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  return {
    session: { 'mcp-session-id': `${id}.0dde3a4c-1111-4222-8333-444455556666`, 'mcp-protocol-version': '2025-11-25' },
    async [Symbol.asyncDispose]() {
      cluster.bury(id);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

beforeAll(async () => {
  stack = new AsyncDisposableStack();
  cluster = createCluster();
  reference = stack.use(await startReference('http', 'legacy'));
  a = stack.use(await startReplica('alpha1'));
  b = stack.use(await startReplica('beta2'));
  balancer = stack.use(await startBalancer([a.url, b.url]));
});

afterAll(() => stack.disposeAsync());

describe('clients behind a balancer without sessions', () => {
  const clients: [string, () => Promise<AnyClient & AsyncDisposable>][] = [
    ['SDK 1', () => connectV1({ ...a, url: balancer.url }, { answer })],
    ['SDK 1 over SSE', () => connectV1({ ...a, url: balancer.url }, { answer, transport: 'sse' })],
    ['SDK 2', () => connectV2({ ...a, url: balancer.url }, { answer })],
    ['SDK 2 over SSE', () => connectV2({ ...a, url: balancer.url }, { answer, transport: 'sse' })],
    ['SDK 2 of the 2026 era', () => connectV2({ ...a, url: balancer.url }, { answer, era: 'modern' })],
  ];

  it.each(clients)('%s is served whichever replica a request reaches', async (_, connect) => {
    await using client = await connect();
    const before = balancer.went.length;
    for (const text of ['one', 'two', 'three', 'four'])
      expect(textOf(await callTool(client, 'ref__echo', { text }))).toBe(text);
    expect(new Set(balancer.went.slice(before)).size).toBe(2);
  });

  it.each(clients)('%s answers a question at another replica than the one that asks', async (_, connect) => {
    await using client = await connect();
    for (const tag of ['one', 'two', 'three'])
      expect(textOf(await callTool(client, 'ref__ask', { kind: 'elicitation', tag }))).toContain('forty-two');
  });

  it('shows progress as it comes', async () => {
    await using client = await connectV1({ ...a, url: balancer.url });
    for (let round = 0; round < 2; round++) {
      const seen: number[] = [];
      const slow = callTool(client, 'ref__slow', { ms: 400 }, { onprogress: ({ progress }) => seen.push(progress) });
      await expect.poll(() => seen.length).toBeGreaterThan(1);
      expect(textOf(await slow)).toBe('slow 400');
    }
  });
});

describe('a session of another replica', () => {
  it('names its replica, and takes calls, batches and DELETE there', async () => {
    const session = await openSession(a.mcp, { version: '2025-03-26' });
    expect(session['mcp-session-id']).toMatch(/^alpha1\.[0-9a-f-]{36}$/);
    expect(said(await callIn(b.mcp, session, 'ref__echo', { text: 'over there' }))).toBe('over there');
    const batch = [rpc(1, 'ping'), rpc(2, 'tools/call', { name: 'ref__echo', arguments: { text: 'in a batch' } })];
    const { messages, headers } = await send(b.mcp, { headers: session, body: batch });
    expect(messages).toHaveLength(2);
    expect(headers['mcp-session-id']).toBe(session['mcp-session-id']);
    expect((await send(b.mcp, { method: 'DELETE', headers: session })).status).toBe(200);
    expect(await askIn(a.mcp, session, 'ping')).toMatchObject({ status: 404 });
    expect(await askIn(b.mcp, session, 'ping')).toMatchObject({ status: 404 });
  });

  it('has a standing stream that lasts, and can be resumed anywhere', async () => {
    const session = await openSession(a.mcp);
    const { runtime } = a;
    using stream = await open(b.mcp, { headers: { ...session, ...sse } });
    expect(stream.status).toBe(200);
    runtime.apis.gateway.addSources([]);
    await expect.poll(() => stream.messages).toMatchObject([{ method: 'notifications/tools/list_changed' }]);
    stream.close();
    const lost = await open(b.mcp, {
      headers: { ...session, accept: 'application/json, text/event-stream' },
      body: rpc(7, 'tools/call', { name: 'ref__slow', arguments: { ms: 300 }, _meta: { progressToken: 1 } }),
    });
    await expect.poll(() => lost.messages.length).toBeGreaterThan(0);
    lost.close();
    // Its stream is the second one of this session, after the answer to initialize.
    using resumed = await open(b.mcp, { headers: { ...session, ...sse, 'last-event-id': '2-0' } });
    await expect.poll(() => resumed.messages.at(-1)).toMatchObject({ id: 7, result: {} });
    await resumed.ended;
  });

  it('is not cancelled by a client that hangs up, but its request is forgotten', async () => {
    const session = await openSession(a.mcp);
    const sent = new AbortController();
    const slow = send(b.mcp, {
      headers: session,
      signal: sent.signal,
      body: rpc(1, 'tools/call', { name: 'ref__slow', arguments: { ms: 300, tag: 'hung up' } }),
    });
    await expect.poll(() => reference.world.journal).toContain('slow started hung up');
    sent.abort();
    await expect(slow).rejects.toThrow(/abort/i);
    await expect.poll(() => reference.world.journal).toContain('slow finished hung up');
    expect(await askIn(b.mcp, session, 'ping')).toMatchObject({ status: 200 });
  });

  it('takes bodies up to the limit', async () => {
    const session = await openSession(a.mcp);
    const text = 'x'.repeat(15 * 1024 * 1024);
    expect(said(await callIn(b.mcp, session, 'ref__echo', { text }))).toHaveLength(text.length);
    const body = JSON.stringify(rpc(1, 'ping', { text: 'x'.repeat(16 * 1024 * 1024) }));
    expect(await send(b.mcp, { headers: session, body })).toMatchObject({ status: 413 });
    const chunked = await fetch(b.mcp, {
      method: 'POST',
      headers: { ...session, 'content-type': 'application/json' },
      body: new Blob([body]).stream(),
      duplex: 'half',
    }).catch(() => ({ status: 413 }));
    expect(chunked.status).toBe(413);
  });

  it('keeps headers of every kind on the way', async () => {
    const page = { origin: 'http://localhost:6274' };
    const session = await openSession(a.mcp, { headers: page });
    const headers = { ...session, ...page, connection: 'close, x-mine', 'x-mine': '1' };
    const answered = await send(b.mcp, { headers, body: rpc(1, 'ping') });
    expect(answered.status).toBe(200);
    expect(answered.headers['access-control-allow-origin']).toBe('http://localhost:6274');
  });

  it('is not found if its replica is dead, refuses connections, or never was', async () => {
    const uuid = '0dde3a4c-1111-4222-8333-444455556666';
    cluster.set('closed3', { url: 'http://127.0.0.1:1' });
    onTestFinished(() => cluster.bury('closed3'));
    for (const id of [`closed3.${uuid}`, `nobody4.${uuid}`, `beta2.${uuid}`, uuid, 'p.x', '..', `a.${uuid}.b`]) {
      const asked = await askIn(b.mcp, { 'mcp-session-id': id }, 'ping');
      expect(asked).toMatchObject({ status: 404, error: { message: 'Session not found: initialize again.' } });
      const posted = await send(`${b.url}/message?sessionId=${id}`, { body: rpc(1, 'ping') });
      expect(posted.status).toBe(404);
    }
  });
});

describe('a replica that breaks off', () => {
  test('before its answer gives 502', async () => {
    await using odd = await startOdd('odd5', (request) => void request.socket.destroy());
    const asked = await askIn(b.mcp, odd.session, 'ping');
    expect(asked.status).toBe(502);
    expect(asked.error?.message).toContain('may have been carried out');
  });

  test('in the middle of a stream ends the stream', async () => {
    await using odd = await startOdd('odd6', (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc":"2.0","method":"first"}\n\n', () =>
        setTimeout(() => response.write('data: {"jsonrpc"', () => request.socket.destroy()), 20),
      );
    });
    using stream = await open(b.mcp, { headers: { ...odd.session, ...sse } });
    await stream.ended;
    expect(stream.messages).toEqual([{ jsonrpc: '2.0', method: 'first' }]);
  });

  test('in the middle of a plain answer closes the connection', async () => {
    await using odd = await startOdd('odd7', (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"half"', () => request.socket.destroy());
    });
    await expect(send(b.mcp, { headers: odd.session, body: rpc(1, 'ping') })).rejects.toThrow('aborted');
  });

  test('by falling silent is given up when it counts as dead', async () => {
    await using odd = await startOdd('odd8', () => {});
    const asked = askIn(b.mcp, odd.session, 'ping');
    setTimeout(() => cluster.bury('odd8'), 50);
    expect(await asked).toMatchObject({ status: 503 });
  });
});

describe('the header of forwarded requests', () => {
  const peers = () => cluster.join('alpha1');
  const request = { method: 'POST', url: '/mcp' };

  it('is refused unless a replica signed it', async () => {
    const session = await openSession(b.mcp);
    for (const value of ['yes', '', 'e30.e30', `${forwardedHeader(peers(), request, 'beta2', '203.0.113.1')}x`]) {
      const asked = await send(b.mcp, { headers: { ...session, [FORWARDED]: value }, body: rpc(1, 'ping') });
      expect(asked.status).toBe(400);
      expect(asked.text).toContain('Sluice-Forwarded');
    }
  });

  it('is good for its own path only', async () => {
    const passed = { ...request, body: Buffer.from(JSON.stringify(rpc(1, 'ping'))) };
    const headers = { [FORWARDED]: forwardedHeader(peers(), passed, 'beta2', '203.0.113.1') };
    expect((await send(b.mcp, { headers, body: rpc(1, 'ping') })).status).toBe(200);
    expect((await send(`${b.mcp}?expose=flat`, { headers, body: rpc(1, 'ping') })).status).toBe(400);
  });

  it('is good for its own body only, in a session and without one', async () => {
    for (const session of [await openSession(b.mcp), {}]) {
      const body = rpc(2, 'tools/call', { name: 'gateway_status' });
      const passed = { ...request, headers: { ...session }, body: Buffer.from(JSON.stringify(rpc(2, 'ping'))) };
      const header = forwardedHeader(peers(), passed, 'beta2', '203.0.113.1');
      const asked = await send(b.mcp, { headers: { ...session, [FORWARDED]: header }, body });
      expect([asked.status, asked.text]).toEqual([400, expect.stringContaining('changed the request')]);
    }
  });

  it('stops loops: a request for a third replica is not forwarded again, and says so while that one lives', async () => {
    cluster.set('gamma9', { url: 'http://127.0.0.1:1' });
    const session = { 'mcp-session-id': 'gamma9.0dde3a4c-1111-4222-8333-444455556666' };
    const header = forwardedHeader(peers(), { ...request, headers: session }, 'gamma9', '203.0.113.1');
    const asked = await send(b.mcp, { headers: { ...session, [FORWARDED]: header }, body: rpc(1, 'ping') });
    expect(asked.status).toBe(502);
    expect(asked.text).toContain('SLUICE_PEER_URL');
    const status = async () => JSON.stringify((await call(b.mcp, 'gateway_status')).result);
    expect(await status()).toContain('Requests for replica gamma9');
    cluster.bury('gamma9');
    expect(await status()).not.toContain('gamma9');
  });

  it('names a replica that is dead: where it was, its session is not found', async () => {
    const session = { 'mcp-session-id': 'gamma9.0dde3a4c-1111-4222-8333-444455556666' };
    const header = forwardedHeader(peers(), { ...request, headers: session }, 'gamma9', '203.0.113.1');
    const asked = await send(b.mcp, { headers: { ...session, [FORWARDED]: header }, body: rpc(1, 'ping') });
    expect(asked.status).toBe(404);
    expect(JSON.stringify((await call(b.mcp, 'gateway_status')).result)).not.toContain('gamma9');
  });
});

describe('a 2026 call that waits for an answer', () => {
  const start = (url: string) => call(url, 'ref__ask', { kind: 'elicitation', tag: 'x' }, elicits);
  const resume = (url: string, state: unknown) =>
    call(
      url,
      'ref__ask',
      { kind: 'elicitation', tag: 'x' },
      {
        ...elicits,
        params: { inputResponses: { q1: answer() }, requestState: state },
      },
    );

  it('goes on at its own replica, whichever gets the answer', async () => {
    const { result } = await start(a.mcp);
    expect(result).toMatchObject({ resultType: 'input_required' });
    expect(result.requestState).toMatch(/^p\.alpha1\./);
    expect(said(await resume(b.mcp, result.requestState))).toContain('forty-two');
    expect((await resume(b.mcp, result.requestState)).error?.message).toContain('start the call again');
  });

  it('says so if its replica is gone', async () => {
    const gone = await resume(b.mcp, 'p.nobody4.0dde3a4c-1111-4222-8333-444455556666');
    expect(gone.error?.message).toContain('start the call again');
  });
});

describe('access', () => {
  it('is checked before anything is forwarded, and again by the owner', async () => {
    await using c = await startReplica('gamma1', { auth: { mode: 'none', token: 'the-secret-of-gamma' } });
    await using d = await startReplica('delta1', { auth: { mode: 'none', token: 'the-secret-of-delta' } });
    const theirs = { authorization: 'Bearer the-secret-of-delta' };
    const opened = await send(d.mcp, {
      headers: theirs,
      body: rpc(0, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      }),
    });
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const nobody = await send(c.mcp, { headers: session, body: rpc(1, 'ping') });
    expect(nobody.status).toBe(401);
    // This key is good at the first replica, but not at the owner.
    const other = await send(c.mcp, {
      headers: { ...session, authorization: 'Bearer the-secret-of-gamma' },
      body: rpc(1, 'ping'),
    });
    expect(other.status).toBe(401);
    const refused = await d.stored({ type: 'auth.refused' });
    expect(refused.events).toHaveLength(1);
  });

  it('counts a rate limit once', async () => {
    const config = { limits: { key: '5/min' } };
    await using c = await startReplica('gamma2', config);
    await using d = await startReplica('delta2', config);
    const session = await openSession(d.mcp);
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await askIn(c.mcp, session, 'ping')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    // Two for the session itself, none for what was forwarded.
    expect((await askIn(d.mcp, session, 'ping')).status).toBe(200);
  });
});

describe('the status', () => {
  it('names all replicas and their problems', async () => {
    cluster.set('far9', {
      host: 'two',
      url: 'http://10.9.9.9:3500',
      version: '9.9.9',
      leads: ['outbox'],
      report: { state: 'degraded', problems: ['server x: is down'], sessions: 3, tools: 4 },
    });
    const { result } = await call(a.mcp, 'gateway_status');
    const status = result.structuredContent as Json;
    expect(status.replicas).toMatchObject([
      { id: 'alpha1', self: true, host: 'one', url: a.url, state: 'ok', problems: [] },
      { id: 'beta2', host: 'one', url: b.url },
      { id: 'far9', host: 'two', state: 'degraded', sessions: 3, leads: ['outbox'] },
    ]);
    expect(status.state).toBe('degraded');
    expect(status.problems).toEqual(
      expect.arrayContaining([
        'replica far9 (two): server x: is down',
        expect.stringMatching(/^replica alpha1 \(one\): .* cannot reach it at .*SLUICE_PEER_URL/),
        expect.stringMatching(/^Replicas run different versions: /),
      ]),
    );
    cluster.bury('far9');
  });
});

describe('a replica that stops', () => {
  it('lets another one begin new sessions, and clients connect anew', async () => {
    const c = await startReplica('gamma3', { server: { drain: '30s' } });
    const before = await openSession(c.mcp);
    const skip = Promise.withResolvers<void>();
    const drained = c.drain(skip.promise);
    const { headers } = await send(c.mcp, { headers: before, body: rpc(1, 'ping') });
    expect(headers.connection).toBe('close');
    const session = await openSession(c.mcp);
    expect(session['mcp-session-id']).toMatch(/^(alpha1|beta2)\./);
    const again = rpc(2, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x' } });
    expect((await send(c.mcp, { headers: before, body: again })).text).toContain('already initialized');
    skip.resolve();
    await drained;
    await c[Symbol.asyncDispose]();
    expect(said(await callIn(a.mcp, session, 'ref__echo', { text: 'outlives it' }))).toBe('outlives it');
    expect((await send(a.mcp, { headers: before, body: rpc(1, 'ping') })).status).toBe(404);
  });

  it('begins sessions itself if every other one stops too', async () => {
    const c = await startReplica('gamma3', { server: { drain: '30s' } });
    for (const id of ['alpha1', 'beta2']) cluster.set(id, { draining: true });
    const skip = Promise.withResolvers<void>();
    const drained = c.drain(skip.promise);
    expect((await openSession(c.mcp))['mcp-session-id']).toMatch(/^gamma3\./);
    for (const id of ['alpha1', 'beta2']) cluster.set(id, { draining: false });
    skip.resolve();
    await drained;
    await c[Symbol.asyncDispose]();
  });

  it('says not ready first, still answers, and ends its streams with a reason', async () => {
    const c = await startReplica('gamma3', { server: { drain: '30s' } });
    const session = await openSession(c.mcp);
    const listening = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const opened = await Promise.all([
      fetch(c.mcp, { headers: { ...session, ...sse } }),
      fetch(c.sse, { headers: sse }),
      fetch(c.mcp, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...listening.headers },
        body: JSON.stringify(listening.body),
      }),
    ]);
    const other = await openSession(b.mcp);
    const through = await fetch(c.mcp, { headers: { ...other, ...sse } });
    expect((await fetch(`${c.url}/ready`)).status).toBe(200);
    const skip = Promise.withResolvers<void>();
    const drained = c.drain(skip.promise);
    expect((await call(b.mcp, 'gateway_status')).result.structuredContent).toMatchObject({
      replicas: [{ id: 'beta2' }, { id: 'alpha1' }, { id: 'gamma3', draining: true }],
    });
    const ready = await fetch(`${c.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'stopping' }]);
    expect((await fetch(`${c.url}/health`)).status).toBe(200);
    expect(said(await callIn(b.mcp, session, 'ref__echo', { text: 'still here' }))).toBe('still here');
    skip.resolve();
    await drained;
    await c[Symbol.asyncDispose]();
    const [standing, legacy, listen] = await Promise.all(opened.map((stream) => stream.text()));
    expect(standing).toMatch(/: The gateway is stopping[^\n]*\n\n$/);
    expect(legacy).toMatch(/: The gateway is stopping[^\n]*\n\n$/);
    expect(listen).toContain('"resultType":"complete"');
    // The session lives at another replica: only the way to it has ended.
    await through.text();
    expect((await askIn(b.mcp, other, 'ping')).status).toBe(200);
  });
});
