import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  callTool,
  connectV1,
  connectV2,
  type Json,
  type LocalReference,
  openSession,
  send,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from './harness.ts';
import { ask, askIn, call } from '../support/exchange.ts';

let reference: LocalReference;
let gateway: TestGateway;
const toolsets = {
  ops: { include: ['a__echo', 'b__*', 'gateway_status'], exclude: ['b__crash', '*_trigger_*'] },
  'read-only': { include: ['a__echo', 'a__journal'], expose: 'search' },
  squeezed: { include: ['a__*'], expose: 'compact' },
  everything: {},
  nothing: { include: ['no_such_*'] },
};
const config = () => ({ mcpServers: { a: reference.entry, b: reference.entry }, toolsets });

beforeAll(async () => {
  reference = await startReference('http', 'both');
  gateway = await startGateway(config());
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
});

const at = (path: string) => `${gateway.mcp}/${path}`;

async function namesAt(path: string): Promise<string[]> {
  return ((await ask(at(path), 'tools/list')).result.tools as { name: string }[]).map(({ name }) => name);
}

describe('a toolset', () => {
  test('lists what it includes and does not exclude', async () => {
    const names = await namesAt('ops');
    expect(names.filter((name) => !name.startsWith('b__'))).toEqual(['gateway_status', 'a__echo']);
    expect(names).toContain('b__slow');
    expect(names.filter((name) => name === 'b__crash' || name.includes('_trigger_'))).toEqual([]);
  });

  test('that includes everything lists all tools; one that includes nothing lists none', async () => {
    const { result } = await ask(gateway.mcp, 'tools/list');
    expect(await namesAt('everything')).toEqual((result.tools as { name: string }[]).map(({ name }) => name));
    expect(await namesAt('nothing')).toEqual([]);
  });

  test('lets clients call its tools, by name and by alias', async () => {
    expect(textOf((await call(at('ops'), 'a__echo', { text: 'hi' })).result)).toBe('hi');
    expect(textOf((await call(at('ops'), 'b:echo', { text: 'alias' })).result)).toBe('alias');
  });

  test.each(['a__journal', 'a:journal', 'b__crash', 'get_events'])(
    'does not know %s, which it does not include',
    async (name) => {
      const { error } = await call(at('ops'), name);
      expect(error).toMatchObject({
        code: -32602,
        message: expect.stringContaining(`Unknown tool: ${name}`) as string,
      });
      expect(error?.message).not.toMatch(/Did you mean.*(a__journal|b__crash|get_events)/);
    },
  );

  test('has its own exposure, and ?expose= overrides that too', async () => {
    expect(await namesAt('read-only')).toEqual(['find_tools', 'describe_tools', 'call_tool']);
    expect(await namesAt('read-only?expose=flat')).toEqual(['a__echo', 'a__journal']);
    expect(await namesAt('squeezed')).toEqual(['a_list', 'a_call', 'a_read']);
  });

  test('limits its wrappers to its own tools', async () => {
    const found = await call(at('read-only'), 'find_tools', { query: 'echo crash slow journal' });
    expect(textOf(found.result)).not.toMatch(/crash|slow|b__/);
    expect(
      textOf((await call(at('read-only'), 'call_tool', { name: 'a__echo', arguments: { text: 'in' } })).result),
    ).toBe('in');
    for (const name of ['a__slow', 'b__echo', 'a:slow', 'get_events']) {
      const { result } = await call(at('read-only'), 'call_tool', { name, arguments: {} });
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('No tool') as string }],
      });
    }
  });

  test('shows the resources and prompts of its servers only', async () => {
    const of = async (path: string, method: string, key: string) =>
      ((await ask(at(path), method)).result[key] as Json[]).map(({ name, uri }) => String(uri ?? name));
    expect(await of('squeezed', 'prompts/list', 'prompts')).toContain('a__test_simple_prompt');
    expect((await of('squeezed', 'prompts/list', 'prompts')).filter((name) => name.startsWith('b__'))).toEqual([]);
    expect((await of('squeezed', 'resources/list', 'resources')).filter((uri) => uri.startsWith('b+'))).toEqual([]);
    expect((await of('ops', 'resources/list', 'resources')).some((uri) => uri.startsWith('b+'))).toBe(true);
    const { error } = await ask(at('squeezed'), 'prompts/get', { name: 'b__test_simple_prompt' });
    expect(error?.message).toContain('Unknown prompt');
  });

  test.each(['POST', 'GET', 'DELETE'])(
    'that does not exist is a 404 that names the existing ones (%s)',
    async (method) => {
      const sent = await send(at('opps'), {
        method,
        headers: { accept: 'application/json, text/event-stream' },
        ...(method === 'POST' && { body: { jsonrpc: '2.0', id: 1, method: 'ping' } }),
      });
      expect(sent.status).toBe(404);
      expect(sent.messages).toMatchObject([
        { error: { message: 'No toolset opps. Known: ops, read-only, squeezed, everything, nothing.' } },
      ]);
    },
  );
});

describe('clients of every kind', () => {
  test('SDK v2, both eras', async () => {
    for (const era of ['legacy', 'modern'] as const) {
      await using client = await connectV2(gateway, { era, path: '/mcp/ops' });
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(await namesAt('ops'));
      expect(textOf(await callTool(client, 'a__echo', { text: era }))).toBe(era);
    }
  });

  test('SDK v1 over HTTP+SSE', async () => {
    await using client = await connectV1(gateway, { transport: 'sse', path: '/mcp/ops' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(await namesAt('ops'));
  });

  test('a session stays in the toolset it was opened in, whatever URL later requests use', async () => {
    const session = await openSession(at('read-only'));
    const { result } = await askIn(gateway.mcp, session, 'tools/list');
    expect((result.tools as { name: string }[]).map(({ name }) => name)).toEqual([
      'find_tools',
      'describe_tools',
      'call_tool',
    ]);
    const { error } = await askIn(gateway.mcp, session, 'tools/call', { name: 'b__slow', arguments: { ms: 0 } });
    expect(error?.message).toContain('Unknown tool');
  });
});

test('toolsets change with the configuration, and clients are told', async () => {
  await using other = await startGateway(config());
  await using client = await connectV1(other, { path: '/mcp/squeezed' });
  let told = 0;
  client.fallbackNotificationHandler = async ({ method }) => {
    if (method === 'notifications/tools/list_changed') told++;
  };
  await other.reload({
    ...config(),
    toolsets: { squeezed: { include: ['a__echo'] }, fresh: { include: ['b__echo'] } },
  });
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['a__echo']);
  expect((await ask(`${other.mcp}/fresh`, 'tools/list')).result.tools).toMatchObject([{ name: 'b__echo' }]);
  expect((await ask(`${other.mcp}/ops`, 'tools/list')).status).toBe(404);
  // At least: the notice from the start may arrive late.
  await expect.poll(() => told).toBeGreaterThan(0);
});
