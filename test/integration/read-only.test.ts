import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ScriptedServer, startScripted } from '../fixtures/scripted-server.ts';
import {
  connectV1,
  type Json,
  openSession,
  send,
  startGateway,
  type TestGateway,
  textOf,
  callTool,
} from './harness.ts';
import { ask, askIn, call } from '../support/exchange.ts';

/** A tool that reads, a tool that writes, a tool without annotations; a resource and a prompt. */
function server(extra: Json[] = []): Promise<ScriptedServer> {
  const schema = { inputSchema: { type: 'object' } };
  const tools = [
    { name: 'look', ...schema, annotations: { readOnlyHint: true } },
    { name: 'write', ...schema, annotations: { readOnlyHint: false, destructiveHint: false } },
    { name: 'mystery', ...schema },
    ...extra,
  ];
  return startScripted('modern', {
    'tools/list': () => ({ tools }),
    'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `${String(name)} was called` }] }),
    'resources/list': () => ({ resources: [{ uri: 'x://1', name: 'one' }] }),
    'resources/read': () => ({ contents: [{ uri: 'x://1', text: 'content' }] }),
    'prompts/list': () => ({ prompts: [{ name: 'say' }] }),
    'prompts/get': () => ({ messages: [] }),
  });
}

const called = (backend: ScriptedServer) =>
  backend.received.filter(({ method }) => method === 'tools/call').map(({ params }) => params.name);
const namesOf = async (url: string) =>
  ((await ask(url, 'tools/list')).result.tools as { name: string }[]).map(({ name }) => name);
const refused = (what: string, place: string) => ({
  isError: true,
  content: [{ type: 'text', text: `${what} changes things, and this ${place} is read-only.` }],
  _meta: { 'sluice/error': { code: 'forbidden', retryable: false } },
});

let backend: ScriptedServer;
let gateway: TestGateway;
const toolsets = {
  safe: { include: ['srv__*'], readOnly: true },
  free: { include: ['srv__*'] },
  writers: { include: ['srv__write'], readOnly: true },
};

beforeAll(async () => {
  backend = await server();
  gateway = await startGateway({ mcpServers: { srv: backend.entry }, toolsets });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await backend[Symbol.asyncDispose]();
});

describe('a read-only toolset', () => {
  const at = (query = '') => `${gateway.mcp}/safe${query}`;

  test('lists and calls only tools that read', async () => {
    expect(await namesOf(at())).toEqual(['srv__look']);
    expect(textOf((await call(at(), 'srv__look')).result)).toBe('look was called');
  });

  test.each(['srv__write', 'srv__mystery', 'srv:write', 'srv:mystery'])(
    'refuses %s and says why; other endpoints allow it',
    async (name) => {
      const before = called(backend).length;
      const shown = name.replace(':', '__');
      expect((await call(at(), name)).result).toMatchObject(refused(shown, 'toolset'));
      const session = await openSession(at());
      const legacy = await askIn(at(), session, 'tools/call', { name, arguments: {} });
      expect(legacy.result).toMatchObject(refused(shown, 'toolset'));
      expect(legacy.result).not.toHaveProperty('resultType');
      expect(called(backend)).toHaveLength(before);
      expect((await call(`${gateway.mcp}/free`, name)).result.isError).toBeUndefined();
      expect((await call(gateway.mcp, name)).result.isError).toBeUndefined();
    },
  );

  test('refuses its own tools that write, and does not know the tools outside it', async () => {
    expect((await call(`${gateway.mcp}/writers`, 'srv__mystery')).error?.message).toContain('Unknown tool');
    expect((await call(`${gateway.mcp}/writers`, 'srv__write')).result).toMatchObject(refused('srv__write', 'toolset'));
  });

  test('compact: the wrappers list and call only tools that read', async () => {
    const url = at('?expose=compact');
    expect(await namesOf(url)).toEqual(['srv_list', 'srv_call']);
    expect(textOf((await call(url, 'srv_list')).result)).not.toMatch(/write|mystery/);
    expect(textOf((await call(url, 'srv_call', { tool: 'look' })).result)).toBe('look was called');
    const before = called(backend).length;
    for (const tool of ['write', 'srv__write', 'srv:write']) {
      expect((await call(url, 'srv_call', { tool })).result).toMatchObject(refused('srv__write', 'toolset'));
      expect((await call(url, 'srv_list', { tool })).result).toMatchObject(refused('srv__write', 'toolset'));
    }
    expect(called(backend)).toHaveLength(before);
  });

  test('search: finds, describes and calls only tools that read', async () => {
    const url = at('?expose=search');
    expect(textOf((await call(url, 'find_tools', { query: 'write mystery look' })).result)).not.toMatch(
      /write|mystery/,
    );
    expect(textOf((await call(url, 'call_tool', { name: 'srv__look' })).result)).toBe('look was called');
    const before = called(backend).length;
    for (const name of ['srv__write', 'srv:write']) {
      expect((await call(url, 'call_tool', { name })).result).toMatchObject(refused('srv__write', 'toolset'));
      expect((await call(url, 'describe_tools', { names: [name] })).result).toMatchObject(
        refused('srv__write', 'toolset'),
      );
    }
    expect((await call(url, 'srv__write')).result).toMatchObject(refused('srv__write', 'toolset'));
    expect(called(backend)).toHaveLength(before);
  });

  test('has the resources and prompts of its servers, even of a server whose tools all write', async () => {
    for (const url of [at(), `${gateway.mcp}/writers`]) {
      expect((await ask(url, 'resources/list')).result.resources).toMatchObject([{ uri: 'x://1' }]);
      expect((await ask(url, 'resources/read', { uri: 'x://1' })).result.contents).toHaveLength(1);
      expect((await ask(url, 'prompts/get', { name: 'srv__say' })).error).toBeUndefined();
    }
  });
});

describe('a read-only gateway', () => {
  test('has no tool that changes things, not even our own, at any URL and exposure', async () => {
    await using closed = await startGateway({
      gateway: { readOnly: true },
      mcpServers: { srv: backend.entry },
      toolsets: { free: {} },
    });
    for (const path of ['', '/free']) {
      const names = await namesOf(`${closed.mcp}${path}`);
      expect(names.filter((name) => name.startsWith('srv'))).toEqual(['srv__look']);
      expect(names).toContain('gateway_status');
      expect(names).not.toContain('gateway_add_server');
      for (const name of ['srv__write', 'gateway_add_server'])
        expect((await call(`${closed.mcp}${path}`, name)).result).toMatchObject(refused(name, 'gateway'));
      const wrapped = await call(`${closed.mcp}${path}?expose=search`, 'call_tool', { name: 'srv__write' });
      expect(wrapped.result).toMatchObject(refused('srv__write', 'gateway'));
    }
    await using client = await connectV1(closed);
    expect(await callTool(client, 'srv__write')).toMatchObject(refused('srv__write', 'gateway'));
    const before = called(backend).length;
    const rest = await send(`${closed.url}/api/v1/mcp/invoke`, { body: { name: 'srv__write', arguments: {} } });
    expect(rest.text).toContain('srv__write changes things, and this gateway is read-only.');
    expect(called(backend)).toHaveLength(before);
  });

  test('follows the file when readOnly is set and unset, and tells clients', async () => {
    await using other = await startGateway({ mcpServers: { srv: backend.entry } });
    await using client = await connectV1(other);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    // What a client knows that lists again only when it is told to. Other parts may tell it to, as well.
    let known = await names();
    client.fallbackNotificationHandler = async ({ method }) => {
      if (method === 'notifications/tools/list_changed') known = await names();
    };
    expect(known).toContain('srv__write');
    await other.reload({ gateway: { readOnly: true }, mcpServers: { srv: backend.entry } });
    expect(await names()).not.toContain('srv__write');
    await expect.poll(() => known).not.toContain('srv__write');
    await other.reload({ mcpServers: { srv: backend.entry } });
    expect(await names()).toContain('srv__write');
    await expect.poll(() => known).toContain('srv__write');
  });

  test('cannot be bypassed by a routing rule from a tool that reads to one that writes', async () => {
    const annotations = { readOnlyHint: false };
    await using writer = await startScripted('modern', {
      'tools/list': () => ({ tools: [{ name: 'look', inputSchema: { type: 'object' }, annotations }] }),
      'tools/call': () => ({ content: [{ type: 'text', text: 'written' }] }),
    });
    const routes = [{ tool: 'srv__look', when: { really: true }, to: 'other' }];
    const mcpServers = { srv: backend.entry, other: writer.entry };
    await using led = await startGateway({ gateway: { routes, readOnly: true }, mcpServers });
    expect(textOf((await call(led.mcp, 'srv__look')).result)).toBe('look was called');
    const wrapped = { name: 'srv__look', arguments: { really: true } };
    expect((await call(led.mcp, 'srv__look', { really: true })).result).toMatchObject(
      refused('other__look', 'gateway'),
    );
    expect((await call(`${led.mcp}?expose=search`, 'call_tool', wrapped)).result).toMatchObject(
      refused('other__look', 'gateway'),
    );
    expect(called(writer)).toEqual([]);
    await led.reload({ gateway: { routes }, mcpServers });
    expect(textOf((await call(led.mcp, 'srv__look', { really: true })).result)).toBe('written');
  });
});

test('a session whose toolset is removed from the file sees no tools, rather than all', async () => {
  await using other = await startGateway({ mcpServers: { srv: backend.entry }, toolsets });
  const session = await openSession(`${other.mcp}/safe`);
  await other.reload({ mcpServers: { srv: backend.entry } });
  const { result } = await askIn(other.mcp, session, 'tools/list');
  expect(result.tools).toEqual([]);
  const before = called(backend).length;
  expect(
    (await askIn(other.mcp, session, 'tools/call', { name: 'srv__write', arguments: {} })).error?.message,
  ).toContain('Unknown tool');
  expect(called(backend)).toHaveLength(before);
});
