import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
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

let reference: LocalReference;
let gateway: TestGateway;

beforeAll(async () => {
  reference = await startReference('http', 'both');
  gateway = await startGateway({ mcpServers: { ref: reference.entry } });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
});

const echo = { name: 'ref__echo', arguments: { text: 'hello' } };
const echoed = { result: { content: [{ type: 'text', text: 'hello' }] } };
const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('one URL serves every version, /sse also 2024-11-05, stdio both eras', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26'])('a %s client on /mcp', async (version) => {
    await using client = await connectV2(gateway, { version });
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getProtocolEra()).toBe('legacy');
    expect(textOf(await callTool(client, 'ref__echo', { text: version }))).toBe(version);
  });

  it('a 2026-07-28 client on /mcp', async () => {
    await using client = await connectV2(gateway, { era: 'modern' });
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(textOf(await callTool(client, 'ref__echo', { text: 'modern' }))).toBe('modern');
  });

  it('a client of SDK v1 on /mcp', async () => {
    await using client = await connectV1(gateway);
    expect(client.getServerVersion()?.name).toBe('sluice');
    expect(textOf(await callTool(client, 'ref__echo', { text: 'v1' }))).toBe('v1');
  });

  it('the root is an alias of /mcp', async () => {
    await using legacy = await connectV1(gateway, { path: '/' });
    await using modern = await connectV2(gateway, { path: '/', era: 'modern' });
    expect(textOf(await callTool(legacy, 'ref__echo', { text: 'root' }))).toBe('root');
    expect(textOf(await callTool(modern, 'ref__echo', { text: 'root' }))).toBe('root');
  });

  it.each(['/sse', '/mcp', '/'])('a 2024-11-05 client on the event stream of %s', async (path) => {
    await using old = await connectV2(gateway, { transport: 'sse', version: '2024-11-05', path });
    expect(old.getNegotiatedProtocolVersion()).toBe('2024-11-05');
    expect(textOf(await callTool(old, 'ref__echo', { text: path }))).toBe(path);
    await using v1 = await connectV1(gateway, { transport: 'sse', path });
    expect(textOf(await callTool(v1, 'ref__echo', { text: path }))).toBe(path);
  });

  it('POST /sse and GET /sse with a session work like /mcp', async () => {
    await using client = await connectV1(gateway, { path: '/sse' });
    expect(textOf(await callTool(client, 'ref__echo', { text: 'sse' }))).toBe('sse');
    const headers = await openSession(gateway.sse);
    using stream = await open(gateway.sse, { headers: { ...headers, accept: 'text/event-stream' } });
    expect(stream.status).toBe(200);
    expect(stream.headers['mcp-session-id']).toBe(headers['mcp-session-id']);
  });

  describe.each(['attached to a running gateway', 'on its own'])('stdio %s', (how) => {
    let home: string | undefined;
    const place = async () => {
      if (how !== 'on its own') return gateway;
      home = await mkdtemp(join(tmpdir(), 'sluice-test-'));
      await writeFile(join(home, 'sluice.json'), JSON.stringify({ mcpServers: { ref: reference.entry } }));
      return { home, url: '' };
    };
    afterAll(async () => {
      if (home !== undefined) await rm(home, { recursive: true, force: true });
    });

    it('both eras', async () => {
      const at = await place();
      await using v1 = await connectV1(at, { transport: 'stdio' });
      await using legacy = await connectV2(at, { transport: 'stdio', version: '2025-06-18' });
      await using modern = await connectV2(at, { transport: 'stdio', era: 'modern' });
      expect(legacy.getNegotiatedProtocolVersion()).toBe('2025-06-18');
      expect(modern.getNegotiatedProtocolVersion()).toBe('2026-07-28');
      for (const client of [v1, legacy, modern]) {
        expect(textOf(await callTool(client, 'ref__echo', { text: how }))).toBe(how);
      }
    });
  });

  it('a client that never initializes is served without a session', async () => {
    const { status, headers, messages } = await send(gateway.mcp, { body: rpc(7, 'tools/call', echo) });
    expect(status).toBe(200);
    expect(headers['mcp-session-id']).toBeUndefined();
    expect(messages).toMatchObject([{ id: 7, ...echoed }]);
  });
});

describe('any Accept works', () => {
  const accepts = {
    'anything (*/*)': { accept: '*/*' },
    'JSON only': { accept: 'application/json' },
    'events only': { accept: 'text/event-stream' },
    'both, as it should be': { accept: 'application/json, text/event-stream' },
    'something else': { accept: 'text/html;q=0.9' },
    none: {},
  } as Record<string, Record<string, string>>;

  function typeFor(name: string): string {
    return name === 'events only' ? 'text/event-stream' : 'application/json';
  }

  describe.each(Object.keys(accepts))('%s', (name) => {
    const accept = accepts[name] as Record<string, string>;

    it('a 2026-07-28 request', async () => {
      const { headers, body } = modern('tools/call', echo);
      const sent = await send(gateway.mcp, { headers: { ...headers, ...accept }, body });
      expect(sent.status).toBe(200);
      expect(sent.headers['content-type']).toBe(typeFor(name));
      expect(sent.messages).toMatchObject([echoed]);
    });

    it('a 2025 session, from initialize to its end', async () => {
      const initialize = rpc(0, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      });
      const first = await send(gateway.mcp, { headers: accept, body: initialize });
      expect(first.status).toBe(200);
      expect(first.headers['content-type']).toBe(typeFor(name));
      expect(first.messages).toMatchObject([{ id: 0, result: { protocolVersion: '2025-06-18' } }]);
      const session = { 'mcp-session-id': String(first.headers['mcp-session-id']), ...accept };
      const initialized = await send(gateway.mcp, {
        headers: session,
        body: { jsonrpc: '2.0', method: 'notifications/initialized' },
      });
      expect(initialized.status).toBe(202);
      const call = await send(gateway.mcp, { headers: session, body: rpc(1, 'tools/call', echo) });
      expect(call.headers['content-type']).toBe(typeFor(name));
      expect(call.messages).toMatchObject([{ id: 1, ...echoed }]);
      using stream = await open(gateway.mcp, { headers: session });
      expect(stream.status).toBe(200);
      expect(stream.headers['content-type']).toBe('text/event-stream');
      expect((await send(gateway.mcp, { method: 'DELETE', headers: session })).status).toBe(200);
    });

    it('a GET with a session is its event stream at /, too, and not the console', async () => {
      const url = new URL('/', gateway.mcp).href;
      using stream = await open(url, { headers: { ...(await openSession(url)), ...accept } });
      expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
    });

    it('the event stream of /sse', async () => {
      using stream = await open(gateway.sse, { headers: accept });
      expect(stream.status).toBe(200);
      expect(stream.headers['content-type']).toBe('text/event-stream');
    });
  });

  it('a client that accepts only JSON gets its answer without progress', async () => {
    const headers = { ...(await openSession(gateway.mcp)), accept: 'application/json' };
    const body = rpc(1, 'tools/call', { name: 'ref__slow', arguments: { ms: 20 }, _meta: { progressToken: 'p' } });
    const sent = await send(gateway.mcp, { headers, body });
    expect(sent.headers['content-type']).toBe('application/json');
    expect(sent.messages).toMatchObject([{ id: 1, result: { content: [{ text: 'slow 20' }] } }]);
  });
});

describe('refusals have the right status', () => {
  const list = { body: rpc(1, 'tools/list') };

  describe.each(['/mcp', '/', '/sse', '/message', '/messages', '/mcp/some', '/health', '/api/v1/status'])(
    '%s',
    (path) => {
      it.each(['POST', 'GET'])('%s from a bad Origin or to a bad Host is forbidden', async (method) => {
        const url = `${gateway.url}${path}`;
        const body = method === 'POST' ? list : {};
        for (const origin of [
          'https://evil.example',
          'http://127.0.0.1.evil.example',
          'null',
          'http://localhost@evil.example',
        ]) {
          const { status } = await send(url, { method, headers: { origin }, ...body });
          expect({ origin, status }).toEqual({ origin, status: 403 });
        }
        for (const host of ['evil.example', '127.0.0.1.evil.example', 'evil.example:80', 'user@127.0.0.1']) {
          const { status } = await send(url, { method, headers: { host }, ...body });
          expect({ host, status }).toEqual({ host, status: 403 });
        }
      });
    },
  );

  it('the right Origin and Host are accepted', async () => {
    const right: Record<string, string>[] = [
      { origin: 'http://localhost:5173' },
      { origin: 'http://127.0.0.1:1' },
      { host: 'localhost:99' },
      { host: '[::1]:1' },
    ];
    for (const headers of right) {
      expect((await send(gateway.mcp, { headers, ...list })).status).toBe(200);
    }
  });

  it('an unknown session is 404 for every method', async () => {
    const headers = { 'mcp-session-id': 'no-such-session' };
    expect(await send(gateway.mcp, { headers, ...list })).toMatchObject({
      status: 404,
      messages: [{ id: 1, error: { code: -32001 } }],
    });
    expect(
      (await send(gateway.mcp, { headers, body: { jsonrpc: '2.0', method: 'notifications/initialized' } })).status,
    ).toBe(404);
    expect((await send(gateway.mcp, { headers: { ...headers, accept: 'text/event-stream' } })).status).toBe(404);
    expect((await send(gateway.mcp, { method: 'DELETE', headers })).status).toBe(404);
    expect((await send(`${gateway.url}/message?sessionId=no-such-session`, list)).status).toBe(404);
  });

  it('an ended session is unknown', async () => {
    const headers = await openSession(gateway.mcp);
    expect((await send(gateway.mcp, { headers, ...list })).status).toBe(200);
    expect((await send(gateway.mcp, { method: 'DELETE', headers })).status).toBe(200);
    expect((await send(gateway.mcp, { headers, ...list })).status).toBe(404);
  });

  it('a request that needs a session and has none is 400', async () => {
    const needing = [
      { body: rpc(1, 'resources/subscribe', { uri: 'test://static-text' }) },
      { body: rpc(1, 'logging/setLevel', { level: 'info' }) },
      { body: { jsonrpc: '2.0', id: 4, result: {} } },
      { method: 'DELETE' },
      { headers: { accept: 'text/event-stream', 'mcp-protocol-version': '2025-06-18' } },
    ];
    for (const request of needing) {
      const { status, messages } = await send(gateway.mcp, request);
      expect({ request, status }).toEqual({ request, status: 400 });
      expect(messages).toMatchObject([{ error: { message: expect.stringContaining('ession') } }]);
    }
    expect((await send(`${gateway.url}/message`, list)).status).toBe(400);
  });

  it('an unknown method is -32601: with status 404 for a 2026 client, 200 for a 2025 one', async () => {
    const unknown = await send(gateway.mcp, modern('no/such'));
    expect(unknown).toMatchObject({ status: 404, messages: [{ id: 1, error: { code: -32601 } }] });
    // 2025 methods are unknown in 2026, and vice versa.
    for (const method of ['initialize', 'ping', 'resources/subscribe', 'logging/setLevel']) {
      expect(await send(gateway.mcp, modern(method))).toMatchObject({
        status: 404,
        messages: [{ error: { code: -32601 } }],
      });
    }
    const headers = await openSession(gateway.mcp);
    for (const method of ['no/such', 'server/discover', 'subscriptions/listen', '__proto__', 'constructor']) {
      const { status, messages } = await send(gateway.mcp, { headers, body: rpc(2, method) });
      expect({ method, status }).toEqual({ method, status: 200 });
      expect(messages).toMatchObject([{ id: 2, error: { code: -32601 } }]);
    }
  });

  it('an unknown protocol version is 400 with the supported ones', async () => {
    const { body, headers } = modern(
      'tools/list',
      {},
      { meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
    );
    const sent = await send(gateway.mcp, { body, headers: { ...headers, 'mcp-protocol-version': '2099-01-01' } });
    expect(sent).toMatchObject({
      status: 400,
      messages: [{ error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } } }],
    });
    const old = await send(gateway.mcp, { ...list, headers: { 'mcp-protocol-version': '2025-01-01' } });
    expect(old).toMatchObject({ status: 400, messages: [{ id: 1, error: { code: -32600 } }] });
  });
});

describe('headers that disagree with the body are 400 / -32020', () => {
  const refused = { status: 400, messages: [{ id: 1, error: { code: -32020 } }] };

  async function sent(
    request: { headers: Record<string, string>; body: Json },
    change: Record<string, string | undefined>,
  ) {
    const headers = Object.entries({ ...request.headers, ...change }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return send(gateway.mcp, { headers: Object.fromEntries(headers), body: request.body });
  }

  it.each([
    ['an absent version', { 'mcp-protocol-version': undefined }],
    ['another version', { 'mcp-protocol-version': '2025-11-25' }],
    ['an absent method', { 'mcp-method': undefined }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['a method in another case', { 'mcp-method': 'TOOLS/CALL' }],
    ['an absent name', { 'mcp-name': undefined }],
    ['another name', { 'mcp-name': 'ref__crash' }],
    ['the un-prefixed name', { 'mcp-name': 'echo' }],
    ['another name in base64', { 'mcp-name': base64('ref__crash') }],
    ['invalid base64', { 'mcp-name': '=?base64?ref__echo?=' }],
    ['base64 that is not canonical', { 'mcp-name': '=?base64?cmVmX19lY2hv=?=' }],
    ['base64 that is not UTF-8', { 'mcp-name': '=?base64?//79?=' }],
  ])('%s is refused', async (_, change) => {
    expect(await sent(modern('tools/call', echo), change)).toMatchObject(refused);
  });

  it('the same name in base64 is accepted', async () => {
    expect(await sent(modern('tools/call', echo), { 'mcp-name': base64('ref__echo') })).toMatchObject({
      status: 200,
      messages: [echoed],
    });
  });

  it('names of prompts and resources are checked too', async () => {
    const prompt = modern('prompts/get', { name: 'ref__test_simple_prompt' });
    const resource = modern('resources/read', { uri: 'test://static-text' });
    expect((await sent(prompt, {})).status).toBe(200);
    expect((await sent(resource, {})).status).toBe(200);
    expect((await sent(resource, { 'mcp-name': base64('test://static-text') })).status).toBe(200);
    expect(await sent(prompt, { 'mcp-name': 'ref__other' })).toMatchObject(refused);
    expect(await sent(resource, { 'mcp-name': 'test://other' })).toMatchObject(refused);
    expect(await sent(resource, { 'mcp-name': base64('test://other') })).toMatchObject(refused);
    expect(await sent(resource, { 'mcp-name': undefined })).toMatchObject(refused);
  });

  it('a 2026 header with a body without the envelope is refused', async () => {
    const { headers } = modern('tools/list');
    const { status, messages } = await send(gateway.mcp, { headers, body: rpc(1, 'tools/list') });
    expect(status).toBe(400);
    expect(messages).toMatchObject([{ id: 1, error: { code: -32602 } }]);
  });

  describe('Mcp-Param-*', () => {
    const region = (value: unknown) =>
      modern('tools/call', { name: 'ref__test_x_mcp_header', arguments: { region: value } });

    it.each([
      ['an absent header', 'eu', {}],
      ['another value', 'eu', { 'mcp-param-region': 'us' }],
      ['another value in base64', 'eu', { 'mcp-param-region': base64('us') }],
      ['invalid base64', 'eu', { 'mcp-param-region': '=?base64?!!?=' }],
      ['a value in another case', 'eu', { 'mcp-param-region': 'EU' }],
    ])('%s is refused', async (_, value, change) => {
      expect(await sent(region(value), change)).toMatchObject(refused);
    });

    it.each([
      ['the same value', 'eu', { 'mcp-param-region': 'eu' }],
      ['the same value in base64', 'eu', { 'mcp-param-region': base64('eu') }],
      ['a value that needs base64', 'Zürich 東京', { 'mcp-param-region': base64('Zürich 東京') }],
      ['a header without an argument', undefined, { 'mcp-param-region': 'eu' }],
      ['an undeclared header', undefined, { 'mcp-param-other': 'x' }],
    ])('%s is accepted', async (_, value, change) => {
      const { status, messages } = await sent(region(value), change);
      expect(status).toBe(200);
      expect(messages).toMatchObject([{ result: { content: [{ text: `region=${value ?? ''}` }, {}] } }]);
    });

    it('a real client sends them', async () => {
      await using client = await connectV2(gateway, { era: 'modern' });
      await client.listTools();
      const result = await callTool(client, 'ref__test_x_mcp_header', { region: 'Zürich' });
      expect(textOf(result)).toBe(`region=Zürichheader=${base64('Zürich')}`);
    });

    it.each(['ref_call', 'call_tool'])('a tool called through %s needs no headers from the client', async (wrapper) => {
      const compact = wrapper === 'ref_call';
      const inner = { region: 'eu' };
      const args = compact
        ? { tool: 'test_x_mcp_header', params: inner }
        : { name: 'ref__test_x_mcp_header', arguments: inner };
      await using client = await connectV2(gateway, {
        era: 'modern',
        path: `/mcp?expose=${compact ? 'compact' : 'search'}`,
      });
      await client.listTools();
      expect(textOf(await callTool(client, wrapper, args))).toBe('region=euheader=eu');
    });
  });
});
