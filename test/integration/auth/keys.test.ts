import { type IncomingMessage, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../../src/auth/keys.ts';
import type { KeyGrant } from '../../../src/store/store.ts';
import { modern, startGateway, startReference, type LocalReference, type TestGateway } from '../harness.ts';

type Answer = {
  status: number;
  headers: Headers;
  body: Record<string, never> & { result?: never; error?: { message: string } };
};

let backend: LocalReference;
let gateway: TestGateway;

const config = () => ({
  auth: { mode: 'keys' },
  mcpServers: { ref: backend.entry, other: backend.entry },
  toolsets: { reading: { include: ['ref__*'], readOnly: true } },
});

beforeAll(async () => {
  backend = await startReference('http', 'both');
  gateway = await startGateway(config());
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await backend[Symbol.asyncDispose]();
});

let made = 0;
async function key(more: Partial<KeyGrant> = {}) {
  const grant = {
    name: `k${made++}`,
    scopes: ['tools:execute'],
    createdAt: new Date().toISOString(),
    createdBy: 'test',
  };
  return createKey(gateway.runtime.store.keys, { ...grant, ...more });
}

async function rpc(method: string, params: object, headers: Record<string, string>, path = '/mcp'): Promise<Answer> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
const names = ({ body }: Answer) =>
  (body.result as unknown as { tools: { name: string }[] }).tools.map(({ name }) => name);
const result = ({ body }: Answer) => body.result as unknown as { isError?: boolean; content: { text: string }[] };
const echo = { name: 'ref__echo', arguments: { text: 'hi' } };

describe('authentication', () => {
  test('a key works in either header', async () => {
    const { key: text } = await key();
    expect(result(await rpc('tools/call', echo, bearer(text))).isError).toBeFalsy();
    expect(result(await rpc('tools/call', echo, { 'x-api-key': text })).isError).toBeFalsy();
    expect(result(await rpc('tools/call', echo, { authorization: `bearer ${text}` })).isError).toBeFalsy();
  });

  test('without a key the answer is 401 with a challenge', async () => {
    const answer = await rpc('tools/list', {}, {});
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(answer.body.error?.message).toBe('Unauthorized: Missing or invalid bearer token');
  });

  test.each([
    ['a wrong secret', (text: string) => `${text.slice(0, -4)}AAAA`],
    ['half of the key', (text: string) => text.slice(0, 20)],
    ['a JWT', () => 'eyJhbGciOiJub25lIn0.e30.'],
    ['only the id of the key', (text: string) => text.slice(4, 14)],
  ])('%s is refused', async (_, spoil) => {
    const { key: text } = await key();
    const answer = await rpc('tools/list', {}, bearer(spoil(text)));
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer  ', 'Token x', 'Bearer a b', 'Bearer a, Bearer b'])(
    'Authorization: %s is refused',
    async (authorization) => expect((await rpc('tools/list', {}, { authorization })).status).toBe(401),
  );

  test('a key in the query string is refused', async () => {
    const { key: text } = await key();
    for (const name of ['token', 'access_token', 'api_key', 'key']) {
      expect((await rpc('tools/list', {}, {}, `/mcp?${name}=${text}`)).status).toBe(401);
    }
  });

  test('two different credentials in one request are refused', async () => {
    const [one, two] = [await key(), await key()];
    expect((await rpc('tools/list', {}, { ...bearer(one.key), 'x-api-key': two.key })).status).toBe(400);
    expect((await rpc('tools/list', {}, { ...bearer(one.key), 'x-api-key': one.key })).status).toBe(200);
  });

  test('an expired key is refused, a revoked one within about a second', async () => {
    const over = await key({ expiresAt: new Date(Date.now() - 1).toISOString() });
    expect((await rpc('tools/list', {}, bearer(over.key))).body.error?.message).toContain('expired');
    const { id, key: text } = await key();
    expect((await rpc('tools/list', {}, bearer(text))).status).toBe(200);
    await revokeKey(gateway.runtime.store.keys, id, new Date());
    await expect.poll(async () => (await rpc('tools/list', {}, bearer(text))).status).toBe(401);
  });

  test('health and the console without its data are public, the rest is not', async () => {
    const status = async (path: string, headers = {}) => (await fetch(`${gateway.url}${path}`, { headers })).status;
    expect(await status('/health')).toBe(200);
    expect(await status('/api/v1/public/health')).toBe(200);
    expect(await status('/')).toBe(200);
    for (const path of ['/api/v1/status', '/api/v1/mcp/tools', '/api/v1/mcp/health'])
      expect(await status(path)).toBe(401);
    const { key: text } = await key({ scopes: ['health:check'] });
    expect(await status('/api/v1/status', bearer(text))).toBe(200);
    expect(await status('/api/v1/mcp/tools', bearer(text))).toBe(403);
  });
});

describe('a session', () => {
  const initialize = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };

  test('belongs to its key', async () => {
    const [owner, thief] = [await key(), await key()];
    const opened = await rpc('initialize', initialize, bearer(owner.key));
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') as string };
    expect((await rpc('tools/list', {}, { ...bearer(owner.key), ...session })).status).toBe(200);
    expect((await rpc('tools/list', {}, { ...bearer(thief.key), ...session })).status).toBe(404);
    expect((await rpc('tools/list', {}, session)).status).toBe(401);
    const ended = await fetch(gateway.mcp, { method: 'DELETE', headers: { ...bearer(thief.key), ...session } });
    expect(ended.status).toBe(404);
  });

  test('ends when its key is revoked, and so do its streams', async () => {
    const { id, key: text } = await key({ scopes: ['tools:execute', 'health:check'] });
    const opened = await rpc('initialize', initialize, bearer(text));
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') as string };
    const stream = await fetch(gateway.mcp, { headers: { ...bearer(text), ...session, accept: 'text/event-stream' } });
    const legacy = await fetch(gateway.sse, { headers: { ...bearer(text), accept: 'text/event-stream' } });
    const live = await fetch(`${gateway.url}/api/v1/events`, {
      headers: { ...bearer(text), accept: 'text/event-stream' },
    });
    expect([stream.status, legacy.status, live.status]).toEqual([200, 200, 200]);
    await revokeKey(gateway.runtime.store.keys, id, new Date());
    await stream.text();
    await legacy.text();
    await expect(live.text()).rejects.toThrow('terminated');
  });

  test('ends when its key expires, and so do its streams', async () => {
    const { key: text } = await key({
      scopes: ['tools:execute', 'health:check'],
      expiresAt: new Date(Date.now() + 3000).toISOString(),
    });
    const legacy = await fetch(gateway.sse, { headers: { ...bearer(text), accept: 'text/event-stream' } });
    const live = await fetch(`${gateway.url}/api/v1/events`, {
      headers: { ...bearer(text), accept: 'text/event-stream' },
    });
    expect([legacy.status, live.status]).toEqual([200, 200]);
    await legacy.text();
    await expect(live.text()).rejects.toThrow('terminated');
  });
});

describe('a request that arrives slowly', () => {
  test('opens no stream if its key was revoked before it was complete', async () => {
    const { id, key: text } = await key();
    const { headers, body } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const sent = httpRequest(gateway.mcp, { method: 'POST', headers: { ...headers, ...bearer(text) } });
    const answer = new Promise<IncomingMessage>((resolve, reject) => sent.on('response', resolve).on('error', reject));
    sent.flushHeaders();
    const whole = typeof body === 'string' ? body : JSON.stringify(body);
    sent.write(whole.slice(0, 10));
    // The key is checked when the headers arrive. Once the next request is answered, that check is done.
    expect((await rpc('tools/list', {}, bearer(text))).status).toBe(200);
    await revokeKey(gateway.runtime.store.keys, id, new Date());
    await expect.poll(async () => (await rpc('tools/list', {}, bearer(text))).status).toBe(401);
    sent.end(whole.slice(10));
    const response = await answer;
    response.destroy();
    expect(response.statusCode).toBe(401);
  });
});

describe('what a key allows', () => {
  const SEARCH = '/mcp?expose=search';
  const COMPACT = '/mcp?expose=compact';

  test('tools:read shows all tools except those for administrators, and calls none', async () => {
    const { key: text } = await key({ scopes: ['tools:read'] });
    const listed = names(await rpc('tools/list', {}, bearer(text)));
    expect(listed).toContain('ref__echo');
    expect(listed).toContain('gateway_status');
    expect(listed).not.toContain('gateway_add_server');
    const called = result(await rpc('tools/call', echo, bearer(text)));
    expect(called.isError).toBe(true);
    expect(called.content[0]?.text).toMatch(/ref__echo needs the scope ref:\w+ or tools:execute/);
  });

  test('the scope of a source applies to that source only', async () => {
    const { key: text } = await key({ scopes: ['ref:read'] });
    const listed = names(await rpc('tools/list', {}, bearer(text)));
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.every((name) => name.startsWith('ref__'))).toBe(true);
    const { body } = await rpc('tools/call', { name: 'other__echo', arguments: { text: 'x' } }, bearer(text));
    expect(JSON.stringify(body)).toContain('other__echo');
    expect(JSON.stringify(body)).not.toContain('"text":"x"');
  });

  test.each<[string, string, (name: string) => object, string]>([
    ['tools/call', '/mcp', (name) => ({ name, arguments: {} }), 'ref__whoami'],
    ['tools/call', '/mcp', (name) => ({ name, arguments: {} }), 'ref:whoami'],
    ['tools/call', '/mcp', (name) => ({ name, arguments: {} }), 'other__echo'],
    ['tools/call', '/mcp', (name) => ({ name, arguments: {} }), 'gateway_add_server'],
    ['tools/call', SEARCH, (name) => ({ name: 'call_tool', arguments: { name } }), 'ref__whoami'],
    ['tools/call', SEARCH, (name) => ({ name: 'describe_tools', arguments: { names: [name] } }), 'other__echo'],
    ['tools/call', COMPACT, (tool) => ({ name: 'ref_call', arguments: { tool } }), 'whoami'],
    ['tools/call', COMPACT, (tool) => ({ name: 'ref_list', arguments: { tool } }), 'whoami'],
    ['tools/call', COMPACT, (tool) => ({ name: 'other_call', arguments: { tool } }), 'echo'],
    ['resources/read', '/mcp', (uri) => ({ uri }), 'test://static-text'],
    ['prompts/get', '/mcp', (name) => ({ name }), 'ref__test_simple_prompt'],
  ])('a hidden name gets the same answer as an unknown one: %s at %s, %#', async (method, path, params, hidden) => {
    const { key: text } = await key({ tools: ['ref__echo'] });
    const said = async (name: string) => {
      const { status, body } = await rpc(method, params(name), bearer(text), path);
      return {
        status,
        body: JSON.stringify(body)
          .replaceAll(name, 'X')
          .replace(/Did you mean [^?]*\? ?/, ''),
      };
    };
    const missing = await said('zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz');
    const of = await said(hidden);
    expect(of.body.replace('tools/list shows the names.', '')).toBe(
      missing.body.replace('tools/list shows the names.', ''),
    );
    expect(of.status).toBe(missing.status);
  });

  test('calls of unknown tools through a wrapper are recorded too', async () => {
    const { id, key: text } = await key();
    await rpc('tools/call', { name: 'call_tool', arguments: { name: 'ref__nosuch' } }, bearer(text), SEARCH);
    await rpc('tools/call', { name: 'ref_call', arguments: { tool: 'nosuch' } }, bearer(text), COMPACT);
    await rpc('tools/call', { name: 'ref_list', arguments: { tool: 'only-looked-at' } }, bearer(text), COMPACT);
    await rpc('tools/call', { name: 'nosuch', arguments: {} }, bearer(text));
    const { events } = await gateway.stored({ principal: `key:${id}`, order: 'asc' });
    expect(events.map(({ event_type, data }) => [event_type, data.tool, data.asked, data.reason])).toEqual([
      ['tool.call_failed', '(unknown)', 'ref__nosuch', 'not_found'],
      ['tool.call_failed', '(unknown)', 'ref:nosuch', 'not_found'],
      ['tool.call_failed', '(unknown)', undefined, 'not_found'],
    ]);
  });

  test('globs limit its tools, in every exposure', async () => {
    const { key: text } = await key({ tools: ['ref__echo'] });
    expect(names(await rpc('tools/list', {}, bearer(text)))).toEqual(['ref__echo']);
    for (const expose of ['compact', 'search'] as const) {
      const path = `/mcp?expose=${expose}`;
      const call = (tool: string, args: object) =>
        expose === 'compact'
          ? { name: 'ref_call', arguments: { tool, params: args } }
          : { name: 'call_tool', arguments: { name: `ref__${tool}`, arguments: args } };
      expect(result(await rpc('tools/call', call('echo', { text: 'hi' }), bearer(text), path)).isError).toBeFalsy();
      expect(result(await rpc('tools/call', call('whoami', {}), bearer(text), path)).isError).toBe(true);
    }
  });

  test('a read-only key changes nothing', async () => {
    const { key: text } = await key({ readOnly: true, scopes: ['admin'] });
    const listed = names(await rpc('tools/list', {}, bearer(text)));
    expect(listed).toContain('gateway_status');
    expect(listed).not.toContain('gateway_remove_server');
    const { body } = await rpc(
      'tools/call',
      { name: 'gateway_restart_server', arguments: { name: 'ref' } },
      bearer(text),
    );
    expect(JSON.stringify(body)).toMatch(/read-only|no tool|Unknown tool/i);
  });

  test('a rate limit applies to one key, and says when to retry', async () => {
    const { key: text } = await key({ rate: '3/min' });
    const other = await key();
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await rpc('ping', {}, bearer(text))).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const late = await rpc('ping', {}, bearer(text));
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await rpc('ping', {}, bearer(other.key))).status).toBe(200);
  });

  test('a rate limit counts each message in a batch', async () => {
    const { key: text } = await key({ rate: '10/min' });
    const batch = (length: number) =>
      fetch(gateway.mcp, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(text) },
        body: JSON.stringify(Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
      });
    expect((await batch(6)).status).toBe(200);
    const late = await batch(6);
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a wrong key', () => {
  test('is slowed down without delaying a valid key, and recorded once', async () => {
    await using own = await startGateway(config());
    const { key: text } = await createKey(own.runtime.store.keys, {
      name: 'good',
      scopes: ['tools:execute'],
      createdAt: new Date().toISOString(),
      createdBy: 'test',
    });
    const post = (token: string) =>
      fetch(own.mcp, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(token) },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      });
    const guesses = Array.from({ length: 40 }, (_, n) =>
      post(`slc_0123456789_${'x'.repeat(40)}${String(n).padStart(3, '0')}`),
    );
    const answers = Promise.all(guesses.map(async (one) => (await one).status));
    const order: string[] = [];
    const slow = answers.then(() => order.push('guesses'));
    expect((await post(text)).status).toBe(200);
    order.push('valid');
    await slow;
    expect(order).toEqual(['valid', 'guesses']);
    expect(new Set(await answers)).toEqual(new Set([401, 429]));
    const { events } = await own.stored({ type: 'auth.refused' });
    expect(events).toHaveLength(1);
    expect(events[0]?.data).toEqual({ address: '127.0.0.1', reason: 'unknown key', times: 1 });
    expect(JSON.stringify(events)).not.toContain('xxxx');
  });
});

test('authentication applies as soon as the file turns it on', async () => {
  await using own = await startGateway({ mcpServers: {} });
  const ping = async () =>
    (
      await fetch(own.mcp, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      })
    ).status;
  expect(await ping()).toBe(200);
  await own.reload({ mcpServers: {}, auth: { mode: 'keys' } });
  expect(await ping()).toBe(401);
});
