import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../../src/kernel/principal.ts';
import { createPages } from '../../../src/server/pages.ts';
import { type Json, type LocalReference, send, startGateway, startReference, type TestGateway } from '../harness.ts';

const key = (id: string, scopes: string[], more: Partial<Principal> = {}): Principal => ({
  id,
  scopes: new Set(scopes),
  ...more,
});

const principals: Record<string, Principal> = {
  reader: key('reader', ['tools:read']),
  executor: key('executor', ['tools:execute']),
  watcher: key('watcher', ['health:check']),
  nobody: key('nobody', []),
  admin: key('admin', ['admin']),
  'one-source': key('one-source', ['ref:read']),
  seer: key('seer', ['tools:read', 'ref:read']),
  globbed: key('globbed', ['tools:execute'], { tools: ['ref__e*'] }),
  'read-only': key('read-only', ['tools:execute'], { readOnly: true }),
  careful: key('careful', ['tools:execute'], { confirm: 'writes' }),
};

let reference: LocalReference;
let gateway: TestGateway;
let server: Server;
let url: string;

beforeAll(async () => {
  reference = await startReference('http', 'both');
  const broken = { command: process.execPath, args: ['-e', "console.error('its stderr'); process.exit(1)"] };
  gateway = await startGateway({ mcpServers: { ref: reference.entry, other: reference.entry, broken } });
  const { runtime } = gateway;
  const pages = createPages({
    version: '1.2.3',
    ready: () => true,
    routes: runtime.routes,
    rest: { gateway: runtime.apis.gateway },
    addressOf: () => '',
    identify({ headers }) {
      const principal = principals[String(headers['x-api-key'])];
      if (principal) return { principal };
      const challenge = { 'www-authenticate': 'Bearer realm="test"' };
      return Promise.resolve({ refusal: { status: 401, message: 'Unauthorized', headers: challenge } });
    },
  });
  server = createServer((request, response) => void pages(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await gateway[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
});

async function ask(who: string, path: string, body?: unknown) {
  const { status, headers, messages, text } = await send(`${url}${path}`, {
    headers: { 'x-api-key': who },
    ...(body !== undefined && { body }),
  });
  return { status, headers, text, body: messages[0] as Json };
}

const call = (who: string, name: string, args: Json = {}) => ask(who, '/api/v1/mcp/invoke', { name, arguments: args });

async function listed(who: string): Promise<string[]> {
  const { body } = await ask(who, '/api/v1/mcp/tools');
  return (body.result as { tools: { name: string }[] }).tools.map(({ name }) => name);
}

const LIST = '/api/v1/mcp/tools';
const TOOL = '/api/v1/mcp/tools/ref__echo';
const INVOKE = '/api/v1/mcp/invoke';
const HEALTH = '/api/v1/mcp/health';
const STATUS = '/api/v1/status';

describe('endpoints', () => {
  test.each<[string, Record<string, number>]>([
    ['reader', { [LIST]: 200, [TOOL]: 200, [INVOKE]: 403, [HEALTH]: 403, [STATUS]: 403 }],
    ['executor', { [LIST]: 200, [TOOL]: 200, [INVOKE]: 200 }],
    ['watcher', { [LIST]: 403, [TOOL]: 403, [INVOKE]: 403, [HEALTH]: 200, [STATUS]: 200 }],
    ['nobody', { [LIST]: 403, [TOOL]: 403, [INVOKE]: 403, [HEALTH]: 403, [STATUS]: 403 }],
    ['admin', { [LIST]: 200, [TOOL]: 200, [INVOKE]: 200, [HEALTH]: 200, [STATUS]: 200 }],
    ['one-source', { [LIST]: 200, [TOOL]: 200, [INVOKE]: 200, [HEALTH]: 403 }],
    ['unknown', { [LIST]: 401, [TOOL]: 401, [INVOKE]: 401, [HEALTH]: 401, [STATUS]: 401 }],
  ])('the key %s', async (who, expected) => {
    const got: Record<string, number> = {};
    for (const path of Object.keys(expected)) {
      const body = path === INVOKE ? { name: 'ref__echo', arguments: { text: 'hi' } } : undefined;
      got[path] = (await ask(who, path, body)).status;
    }
    expect(got).toEqual(expected);
  });

  test.each(['/health', '/ready', '/api/v1/public/health', '/openapi.json'])('%s needs no key', async (path) => {
    expect((await ask('unknown', path)).status).toBe(200);
  });

  test('the error and the WWW-Authenticate header name a missing scope', async () => {
    const { status, headers, body } = await ask('reader', INVOKE, { name: 'ref__echo' });
    expect(status).toBe(403);
    expect(headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="tools:execute"');
    expect(body).toMatchObject({
      error: { message: expect.stringContaining('tools:execute') as string, data: { code: 'forbidden' } },
    });
  });

  test('without a key the answer has the challenge', async () => {
    const { headers, body } = await ask('unknown', LIST);
    expect(headers['www-authenticate']).toBe('Bearer realm="test"');
    expect(body).toMatchObject({ error: { message: 'Unauthorized', data: { code: 'unauthenticated' } } });
  });

  test('a wrong HTTP method is refused before the key is checked', async () => {
    expect((await ask('unknown', INVOKE)).status).toBe(405);
  });
});

describe('tools', () => {
  test('are listed like over MCP for the same principal', async () => {
    for (const [who, principal] of Object.entries(principals)) {
      if (['watcher', 'nobody'].includes(who)) continue;
      const view = { expose: 'flat' } as const;
      const { tools } = gateway.runtime.apis.gateway.visibility.projection({ view, principal });
      expect(await listed(who)).toEqual(tools.map(({ name }) => name));
    }
    expect(await listed('globbed')).toEqual(['ref__echo']);
    expect(await listed('reader')).not.toContain('gateway_add_server');
  });

  test.each<[string, string, Json, number]>([
    ['one-source', 'ref__echo', { text: 'x' }, 200],
    ['one-source', 'ref__slow', { ms: 1, tag: 'denied' }, 404],
    ['one-source', 'other__echo', { text: 'x' }, 404],
    ['globbed', 'ref__echo', { text: 'x' }, 200],
    ['globbed', 'ref__slow', { ms: 1, tag: 'denied' }, 404],
    ['globbed', 'ref:slow', { ms: 1, tag: 'denied' }, 404],
    ['read-only', 'ref__echo', { text: 'x' }, 200],
    ['read-only', 'ref__slow', { ms: 1, tag: 'denied' }, 404],
    ['executor', 'ref__slow', { ms: 1, tag: 'allowed' }, 200],
    ['executor', 'gateway_add_server', { name: 'x', server: { url: 'http://127.0.0.1:1/mcp' } }, 404],
    ['seer', 'ref__echo', { text: 'x' }, 200],
    ['seer', 'ref__slow', { ms: 1, tag: 'denied' }, 403],
    ['careful', 'ref__slow', { ms: 1, tag: 'denied' }, 409],
  ])('%s calls %s %j: %i', async (who, tool, args, status) => {
    expect((await call(who, tool, args)).status).toBe(status);
    expect(reference.world.journal).not.toContain('slow started denied');
  });

  test.each([
    ['globbed', 'other__echo'],
    ['globbed', 'ref__slow'],
    ['globbed', 'ref:slow'],
    ['globbed', 'broken__anything'],
    ['one-source', 'gateway_status'],
    ['one-source', 'broken__anything'],
    ['read-only', 'ref__slow'],
    ['executor', 'gateway_add_server'],
  ])('%s gets the same answer for %s as for an unknown tool', async (who, name) => {
    const missing = `${name.slice(0, name.search(/__|:|_/))}__zzzzzzzzzzzzzzzzzzzzzzzzzzzz`;
    const said = async (wanted: string) => {
      const asked = [
        await call(who, wanted),
        await ask(who, INVOKE, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: wanted } }),
        await ask(who, `/api/v1/mcp/tools/${wanted}/invoke`, {}),
        await ask(who, `/api/v1/mcp/tools/${wanted}`),
      ];
      return asked.map(({ status, headers, text }) => ({
        status,
        challenge: headers['www-authenticate'],
        text: text
          .replaceAll(wanted, 'X')
          .replace(/Did you mean [^?]*\?|GET [^ ]* lists the names\./, 'HINT')
          .replace(/"[0-9a-f-]{36}"/g, 'ID'),
      }));
    };
    const of = await said(name);
    expect(of).toEqual(await said(missing));
    expect(of.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(JSON.stringify(of)).not.toMatch(/not running|stderr|(needs|requires) the scope|read-only/);
  });

  test('a caller who may see a server is told why it does not run', async () => {
    const { status, text } = await call('executor', 'broken__zzzzzzzzzzzzzzzzzzzzzzzzzz');
    expect(status).toBe(404);
    expect(text).toContain('The server broken is not running');
  });

  test('calls of hidden and unknown tools are recorded with the caller, and counted as one tool', async () => {
    await call('one-source', 'other__journal');
    await call('one-source', `ref__\u001b[2Jsuch${'x'.repeat(500)}`);
    const failed = async () => (await gateway.stored({ type: 'tool.call_failed', limit: 50 })).events;
    const unknown = { tool: '(unknown)', source: '(unknown)', principal: 'one-source', ms: 0 };
    await expect
      .poll(async () => (await failed()).map(({ data }) => data))
      .toContainEqual({ ...unknown, reason: 'forbidden', asked: 'other__journal' });
    const asked = (await failed()).map(({ data }) => String(data.asked)).find((name) => name.startsWith('ref__?[2J'));
    expect(asked?.length).toBeLessThan(110);
    const { body } = await call('admin', 'gateway_usage', { principal: 'one-source' });
    const { mostFailing } = (body.result as Json).structuredContent as { mostFailing: Json[] };
    expect(mostFailing.find(({ name }) => name === '(unknown)')).toMatchObject({ source: '(unknown)' });
    const { text: metrics } = await ask('admin', '/metrics');
    expect(metrics).toMatch(
      /sluice_tool_call_errors_total\{source="\(unknown\)",tool="\(unknown\)",reason="forbidden"\}/,
    );
    expect(metrics).not.toContain('other__journal');
  });

  test('a confirmation token works only for its own principal', async () => {
    principals.thrifty = key('thrifty', ['tools:execute'], { confirm: 'writes' });
    const args = { ms: 1, tag: 'stolen' };
    const token = async () => {
      const { body } = await call('careful', 'ref__slow', args);
      const meta = (body.result as Json)._meta as Record<string, { confirm: string }>;
      return meta['sluice/error']?.confirm;
    };
    const confirmed = async (who: string) =>
      (await ask(who, INVOKE, { name: 'ref__slow', arguments: args, confirm: await token() })).status;
    expect(await confirmed('thrifty')).toBe(409);
    expect(reference.world.journal).not.toContain('slow started stolen');
    expect(await confirmed('careful')).toBe(200);
  });

  test('health shows only the tools a key may see', async () => {
    principals.both = key('both', ['health:check', 'ref:read']);
    const { body } = await ask('both', HEALTH);
    expect(body.available_tools).toEqual(await listed('both'));
    expect(body.available_tools).not.toContain('other__echo');
  });
});
