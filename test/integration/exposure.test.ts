import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Exposure } from '../../src/kernel/source.ts';
import {
  callTool,
  connectV1,
  connectV2,
  type Json,
  type LocalReference,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from './harness.ts';
import { ask, call } from '../support/exchange.ts';
import { type ScriptedServer, startScripted } from '../fixtures/scripted-server.ts';

interface Listed {
  name: string;
  description?: string;
  inputSchema: Json;
  annotations?: Json;
}

const OWN = [
  'gateway_accept_tools',
  'gateway_add_server',
  'gateway_remove_server',
  'gateway_restart_server',
  'gateway_status',
  'get_events',
];

let reference: LocalReference;
let gateway: TestGateway;

beforeAll(async () => {
  reference = await startReference('http', 'both');
  gateway = await startGateway({
    mcpServers: {
      ref: { ...reference.entry, expose: 'compact' },
      flat: reference.entry,
      reads: { ...reference.entry, expose: 'compact', tools: { include: ['echo', 'journal'] } },
      writes: { ...reference.entry, expose: 'compact', tools: { include: ['touch', 'slow'] } },
      found: { ...reference.entry, expose: 'search' },
    },
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
});

async function listed(url: string): Promise<Listed[]> {
  return (await ask(url, 'tools/list')).result.tools as Listed[];
}

const namesAt = async (url: string) => (await listed(url)).map(({ name }) => name);

/** A wrapper's answer: JSON in a text block. */
async function said(name: string, args: Json, url = gateway.mcp): Promise<Json> {
  const { result } = await call(url, name, args);
  return JSON.parse(textOf(result)) as Json;
}

const linesOf = async (...args: Parameters<typeof said>) => (await said(...args)).tools as string[];

/** Everything but the trace, which differs for each call. */
function essence(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'traceparent' ? undefined : inner)));
}

describe('what is listed', () => {
  test('each server by its own exposure, our own tools one by one', async () => {
    const names = await namesAt(gateway.mcp);
    expect(names.filter((name) => OWN.includes(name)).sort()).toEqual(OWN);
    expect(names.filter((name) => /^(ref|reads|writes|found)_/.test(name))).toEqual([
      'ref_list',
      'ref_call',
      'ref_read',
      'reads_list',
      'reads_call',
      'writes_list',
      'writes_call',
    ]);
    expect(names).toContain('flat__echo');
    expect(names.slice(-3)).toEqual(['find_tools', 'describe_tools', 'call_tool']);
  });

  test('?expose= overrides the exposure of every source', async () => {
    expect(await namesAt(`${gateway.mcp}?expose=search`)).toEqual(['find_tools', 'describe_tools', 'call_tool']);
    const compact = await namesAt(`${gateway.mcp}?expose=compact`);
    expect(compact).toEqual(
      [
        'gateway',
        'nodes',
        'graph',
        'memory',
        'blueprint',
        'recipe',
        'project',
        'n8n',
        'ref',
        'flat',
        'reads',
        'writes',
        'found',
      ].flatMap((source) => [
        `${source}_list`,
        `${source}_call`,
        // _read exists only if some tools only read and others do not.
        ...(['nodes', 'n8n', 'reads', 'writes'].includes(source) ? [] : [`${source}_read`]),
      ]),
    );
    const flat = await namesAt(`${gateway.mcp}?expose=flat`);
    expect(flat.filter((name) => name.endsWith('__echo'))).toEqual([
      'ref__echo',
      'flat__echo',
      'reads__echo',
      'found__echo',
    ]);
    expect(flat.some((name) => /_list$|_call$|^find_tools$/.test(name))).toBe(false);
  });

  test.each(['flat', 'search', 'compact'])('in %s, list and call wrappers answer, listed or not', async (expose) => {
    const url = `${gateway.mcp}?expose=${expose}`;
    expect(await linesOf('gateway_list', {}, url)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^gateway_status\(/)]),
    );
    const { result } = await call(url, 'gateway_call', { tool: 'gateway_status' });
    expect(result.structuredContent).toHaveProperty('uptimeSeconds');
    for (const wrapper of ['flat_call', 'flat_read'])
      expect(textOf((await call(url, wrapper, { tool: 'echo', params: { text: 'hi' } })).result)).toBe('hi');
  });

  test.each<[string, Json]>([
    ['projects_list_projects', {}],
    ['projects_call', { tool: 'list_projects' }],
    ['projects_read', { tool: 'projects_list_projects' }],
    ['project_call', { tool: 'projects:project_list_projects' }],
    ['recipes_call', { tool: 'list_recipes' }],
    ['recipes_list_recipes', {}],
    ['blueprints_call', { tool: 'list_definitions' }],
  ])('%s %j: the plural of a source calls it, in every exposure', async (name, args) => {
    for (const expose of ['flat', 'compact', 'search']) {
      const { result } = await call(`${gateway.mcp}?expose=${expose}`, name, args);
      expect(result).toMatchObject({ structuredContent: expect.any(Object) as Json });
      expect(result.isError ?? false).toBe(false);
    }
    expect(await linesOf('recipes_list', {})).toEqual(await linesOf('recipe_list', {}));
  });

  test('a server takes a plural for its own tools', async () => {
    await using other = await startGateway({ mcpServers: { recipes: reference.entry } });
    expect(textOf((await call(other.mcp, 'recipes_call', { tool: 'echo', params: { text: 'hi' } })).result)).toBe('hi');
    expect((await call(other.mcp, 'recipe_call', { tool: 'list_recipes' })).result.isError ?? false).toBe(false);
  });

  test('an unknown exposure is a 404 that names the known ones', async () => {
    const { status, error } = await ask(`${gateway.mcp}?expose=everything`, 'tools/list');
    expect(status).toBe(404);
    expect(error?.message).toContain('Unknown exposure everything: use flat, compact or search.');
  });

  test.each<[Exposure, string]>([
    ['compact', 'a_call'],
    ['search', 'call_tool'],
  ])('gateway.expose: %s applies to servers without their own setting', async (expose, wrapper) => {
    await using other = await startGateway({
      gateway: { expose },
      mcpServers: { a: reference.entry, b: { ...reference.entry, expose: 'flat' } },
    });
    const names = await namesAt(other.mcp);
    expect(names).toContain(wrapper);
    expect(names).toContain('b__echo');
    expect(names).not.toContain('a__echo');
    expect(names).not.toContain('gateway_status');
    await other.reload({ mcpServers: { a: reference.entry, b: { ...reference.entry, expose: 'flat' } } });
    expect(await namesAt(other.mcp)).toEqual(expect.arrayContaining([...OWN, 'a__echo']));
  });

  test('annotations and schemas of wrappers say what they may do', async () => {
    const tools = new Map((await listed(gateway.mcp)).map((tool) => [tool.name, tool]));
    const readOnly = { readOnlyHint: true, openWorldHint: false };
    const worst = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
    for (const name of ['find_tools', 'describe_tools']) expect(tools.get(name)?.annotations).toMatchObject(readOnly);
    expect(tools.get('call_tool')?.annotations).toMatchObject(worst);
    for (const name of ['ref_list', 'ref_read']) expect(tools.get(name)?.annotations).toEqual({ readOnlyHint: true });
    // Without annotations a client must assume the worst.
    expect(tools.get('ref_call')?.annotations).toBeUndefined();
    const keys = (name: string) => Object.keys(tools.get(name)?.inputSchema.properties as Json);
    expect([keys('ref_list'), keys('ref_call'), keys('ref_read')]).toEqual([
      ['query', 'tool'],
      ['tool', 'params', 'confirm'],
      ['tool', 'params'],
    ]);
    expect([keys('find_tools'), keys('describe_tools'), keys('call_tool')]).toEqual([
      ['query', 'limit'],
      ['names'],
      ['name', 'arguments', 'confirm'],
    ]);
    for (const name of tools.keys()) expect(name).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9_-]{0,43}[a-zA-Z0-9]$/);
    // The list says what it is for, and for whom; 600 bytes leave no room to say it again.
    const silent = [...tools.values()].filter(({ description }) => !description).map(({ name }) => name);
    expect(silent.every((name) => /_(?:call|read)$/.test(name))).toBe(true);
    expect(tools.get('ref_list')?.description).toMatch(/^Finds tools for ref_call\. /);
  });

  test('a tool of a transparent server that has a wrapper’s name is listed once', async () => {
    await using odd = await startScripted('modern', {
      'tools/list': () => ({
        tools: ['call_tool', 'a_call'].map((name) => ({ name, inputSchema: { type: 'object' } })),
      }),
      'tools/call': () => ({ resultType: 'complete', content: [{ type: 'text', text: 'the server’s own' }] }),
    });
    await using other = await startGateway({
      mcpServers: { odd: { ...odd.entry, prefix: '' }, a: { ...reference.entry, expose: 'search' } },
    });
    expect((await namesAt(other.mcp)).filter((name) => name === 'call_tool')).toHaveLength(1);
    expect(textOf((await call(other.mcp, 'a_call')).result)).toBe('the server’s own');
    expect(textOf((await call(other.mcp, 'call_tool', { name: 'a__echo', arguments: { text: 'hi' } })).result)).toBe(
      'hi',
    );
    expect(textOf((await call(other.mcp, 'odd:call_tool')).result)).toBe('the server’s own');
  });
});

describe('compact', () => {
  test('_list shows each tool in one line, by its name at the server', async () => {
    const lines = await linesOf('ref_list', {});
    expect(lines).toContain('echo(text: string) – Answers with its text');
    expect(lines.every((line) => !line.includes('\n'))).toBe(true);
    const direct = await namesAt(reference.entry.url);
    expect(lines.map((line) => line.slice(0, line.indexOf('('))).sort()).toEqual(direct.sort());
  });

  test('_list with query ranks the tools; with tool it shows the original schema of the server', async () => {
    expect((await linesOf('ref_list', { query: 'answer with the given text' }))[0]).toMatch(/^echo\(/);
    const direct = (await listed(gateway.mcp)).find(({ name }) => name === 'flat__json_schema_2020_12_tool');
    for (const tool of ['json_schema_2020_12_tool', 'ref__json_schema_2020_12_tool', 'ref:json_schema_2020_12_tool']) {
      expect(await said('ref_list', { tool })).toMatchObject({
        name: 'json_schema_2020_12_tool',
        inputSchema: direct?.inputSchema,
        description: direct?.description,
      });
    }
  });

  test.each(['echo', 'ref__echo', 'ref:echo'])('_call accepts the name %s', async (tool) => {
    expect(textOf((await call(gateway.mcp, 'ref_call', { tool, params: { text: 'hi' } })).result)).toBe('hi');
  });

  test('_list with detail: full is a list of every tool, with its description and schema', async () => {
    const tools = (await said('ref_list', { detail: 'full' })) as unknown as Json[];
    const lines = await linesOf('ref_list', {});
    expect(tools.map(({ name }) => name)).toEqual(lines.map((line) => line.slice(0, line.indexOf('('))));
    expect(tools.find(({ name }) => name === 'echo')).toEqual({
      name: 'echo',
      description: 'Answers with its text',
      parameters: expect.objectContaining({ type: 'object', properties: { text: { type: 'string' } } }) as Json,
    });
    expect(await said('ref_list', { detail: 'full', query: 'qqqq zzzz' })).toEqual([]);
  });

  test.each<[string, Json]>([
    ['ref_call', { tool: 'echo', text: 'hi' }],
    ['ref_read', { tool: 'echo', text: 'hi' }],
    ['ref_call', { tool: 'echo', arguments: { text: 'hi' } }],
    ['ref_read', { tool: 'echo', params: '{"text": "hi"}' }],
    ['ref_read', { name: 'echo', input: { text: 'hi' } }],
    ['call_tool', { name: 'found__echo', text: 'hi' }],
    ['call_tool', { tool: 'found__echo', params: { text: 'hi' } }],
  ])('%s accepts arguments nested or flat: %j', async (name, args) => {
    expect(textOf((await call(gateway.mcp, name, args)).result)).toBe('hi');
  });

  test('arguments reach the backend unchanged: a number stays a number', async () => {
    const direct = await call(gateway.mcp, 'flat__echo', { text: 5 });
    const through = await call(gateway.mcp, 'ref_call', { tool: 'echo', text: 5 });
    expect(direct.result?.isError ?? direct.error).toBeTruthy();
    expect(essence({ result: through.result, error: through.error })).toEqual(
      essence({ result: direct.result, error: direct.error }),
    );
  });

  test('_read calls only tools that read', async () => {
    expect(textOf((await call(gateway.mcp, 'ref_read', { tool: 'echo', params: { text: 'read' } })).result)).toBe(
      'read',
    );
    const before = reference.world.journal.length;
    const { result } = await call(gateway.mcp, 'ref_read', { tool: 'slow', params: { ms: 0, tag: 'by-read' } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: 'slow changes things; call it through ref_call.' }],
    });
    expect(reference.world.journal.slice(before)).toEqual([]);
  });

  test('tools stay callable by their own names', async () => {
    expect(textOf((await call(gateway.mcp, 'ref__echo', { text: 'direct' })).result)).toBe('direct');
    expect(textOf((await call(gateway.mcp, 'ref:echo', { text: 'alias' })).result)).toBe('alias');
  });

  test.each<[string, Json, string]>([
    ['ref_call', { tool: 'ecko' }, 'No tool ecko. Did you mean echo? ref_list shows the names.'],
    ['ref_call', { tool: 'flat__echo' }, 'Call flat__echo directly, not through a wrapper.'],
    ['ref_call', {}, 'Name a tool. ref_list shows the names.'],
    ['ref_call', { tool: 'echo', params: 'hi' }, '"params" must be an object with the arguments of ref__echo.'],
    ['ref_list', { tool: 42 }, 'No tool 42. ref_list shows the names.'],
    ['ref_list', { tool: ['echo'] }, 'Name a tool. ref_list shows the names.'],
    ['ref_list', { query: ['echo'] }, '"query" must be a string.'],
    ['ref_list', { detail: 'half' }, '"detail" can only be "full".'],
    [
      'ref_list',
      { tool: 'echo', params: { text: 'hi' } },
      'ref_list: unknown key "params". Known keys: query, tool, detail, cursor. To call a tool, use ref_call.',
    ],
    ['find_tools', { query: 'text', limit: 'few' }, '"limit" must be a number.'],
    ['find_tools', { search: 'text' }, 'find_tools: unknown key "search". Known keys: query, limit.'],
    ['describe_tools', { tools: ['found__echo'] }, 'describe_tools: unknown key "tools". Known keys: names.'],
    ['ref_call', { tool: 'echo', txt: 'hi' }, 'ref__echo was not called: unknown key "txt". Did you mean "text"?'],
    ['ref_read', { tool: 'echo', params: { text: 'a' }, arguments: { text: 'b' } }, '"params" and "arguments" differ'],
    ['call_tool', { name: 'found__echo', txt: 'hi' }, 'found__echo was not called: unknown key "txt".'],
    ['ref_list', { cursor: 'x' }, 'This cursor belongs to another list. Leave it out to start over.'],
    ['ref_list', { detail: 'full', cursor: '1' }, 'With "detail": "full" the list is whole: leave "cursor" out.'],
    ['ref_list', { cursor: '10000' }, 'This cursor belongs to another list. Leave it out to start over.'],
    ['find_tools', {}, 'find_tools needs "query": say in plain words what you want to do.'],
    ['describe_tools', { names: 'found__echo' }, 'describe_tools needs "names": a list of tool names.'],
    ['describe_tools', { names: ['found__ecko'] }, 'No tool found__ecko. Did you mean found__echo'],
    ['call_tool', { name: 'ref__echo' }, 'No tool ref__echo.'],
    [
      'call_tool',
      { name: 'found__echo', arguments: [] },
      '"arguments" must be an object with the arguments of found__echo.',
    ],
  ])('%s %j: %s', async (name, args, words) => {
    const { result } = await call(gateway.mcp, name, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(words);
  });
});

describe('search', () => {
  test('describe_tools shows several tools unchanged', async () => {
    const { tools } = await said('describe_tools', { names: ['found__echo', 'found:touch'] });
    expect(tools).toMatchObject([
      {
        name: 'found__echo',
        description: 'Answers with its text',
        inputSchema: { properties: { text: { type: 'string' } } },
        annotations: { readOnlyHint: true },
      },
      { name: 'found__touch', inputSchema: { properties: { uri: { type: 'string' } } } },
    ]);
  });

  test('a number may come as a text', async () => {
    expect(await linesOf('find_tools', { query: 'text', limit: '1' })).toHaveLength(1);
  });

  test('describe_tools and call_tool accept the names that find_tools shows', async () => {
    const [line = ''] = await linesOf('find_tools', { query: 'answers with its text', limit: 1 });
    const name = line.slice(0, line.indexOf('('));
    expect(name).toBe('found__echo');
    expect(await said('describe_tools', { names: [name] })).toMatchObject({ tools: [{ name }] });
    expect(textOf((await call(gateway.mcp, 'call_tool', { name, arguments: { text: 'hi' } })).result)).toBe('hi');
    expect(
      textOf((await call(gateway.mcp, 'call_tool', { name: 'found:echo', arguments: { text: 'alias' } })).result),
    ).toBe('alias');
  });

  test('find_tools respects limit, and finds nothing for nonsense', async () => {
    expect(await linesOf('find_tools', { query: 'test', limit: 3 })).toHaveLength(3);
    expect(await linesOf('find_tools', { query: 'qqqq zzzz' })).toEqual([]);
  });
});

const wrapped: [string, (tool: string, args: Json) => [string, Json]][] = [
  ['_call', (tool, args) => ['ref_call', { tool, params: args }]],
  ['call_tool', (tool, args) => ['call_tool', { name: `found__${tool}`, arguments: args }]],
];

describe.each(wrapped)('through %s', (_, wrap) => {
  test.each<[string, string, Json]>([
    ['a plain result', 'echo', { text: 'hi' }],
    ['unknown keys', 'vendor', {}],
    ['a tool error', 'fail', { kind: 'isError' }],
    ['a protocol error, with code and data', 'fail', { kind: 'rpc', code: -32050 }],
    ['content of every kind', 'test_multiple_content_types', {}],
  ])('%s arrives as in a direct call', async (_name, tool, args) => {
    const { result, error } = await call(gateway.mcp, `flat__${tool}`, args);
    const through = await call(gateway.mcp, ...wrap(tool, args));
    expect(essence({ result: through.result, error: through.error })).toEqual(essence({ result, error }));
  });

  test.each(['legacy', 'modern'] as const)('progress arrives, every step of it (%s)', async (era) => {
    await using client = await connectV2(gateway, { era });
    const steps: number[] = [];
    const [name, args] = wrap('slow', { ms: 50 });
    expect(textOf(await callTool(client, name, args, { onprogress: ({ progress }) => steps.push(progress) }))).toBe(
      'slow 50',
    );
    expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test.each(['legacy', 'modern'] as const)('the server can ask the user (%s)', async (era) => {
    const asked: string[] = [];
    const answer = (method: string, params?: Json) => {
      asked.push(`${method} ${String(params?.message)}`);
      return { action: 'accept', content: { answer: 'yes' } };
    };
    await using client = await connectV2(gateway, { era, answer });
    const [name, args] = wrap('ask', { kind: 'elicitation', tag: `t-${era}` });
    expect(textOf(await callTool(client, name, args))).toMatch(new RegExp(`^t-${era} .*"accept"`));
    expect(asked).toEqual([`elicitation/create ask t-${era}`]);
  });

  test('cancelling reaches the server', async () => {
    await using client = await connectV1(gateway);
    const abort = new AbortController();
    const tag = `cancelled-${wrap('x', {})[0]}`;
    const [name, args] = wrap('slow', { ms: 20_000, tag });
    const cancelled = callTool(client, name, args, { signal: abort.signal });
    await expect.poll(() => reference.world.journal).toContain(`slow started ${tag}`);
    abort.abort();
    await expect(cancelled).rejects.toThrow(/abort/i);
    await expect.poll(() => reference.world.journal).toContain(`slow cancelled ${tag}`);
  });

  test('an argument that becomes a header needs no header from the client', async () => {
    const { result, error } = await call(gateway.mcp, ...wrap('test_x_mcp_header', { region: 'eu-1' }));
    expect(error).toBeUndefined();
    expect(result.content).toEqual([
      { type: 'text', text: 'region=eu-1' },
      { type: 'text', text: 'header=eu-1' },
    ]);
  });
});

describe('sizes', () => {
  const KiB = 1024;
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  const properties = Object.fromEntries(
    ['owner', 'repository', 'query', 'since', 'until', 'page', 'per_page', 'sort'].map((name) => [
      name,
      { type: 'string', description: `The ${name} to use for this call.` },
    ]),
  );
  const many = Array.from({ length: 200 }, (_, i) => ({
    name: `manage_widget_number_${i}`,
    description: `Manages widget number ${i} of the collection, with all the options that widgets usually have. ${'More words follow. '.repeat(20)}`,
    inputSchema: { type: 'object', properties },
  }));
  let big: ScriptedServer;
  let large: TestGateway;

  beforeAll(async () => {
    big = await startScripted('modern', {
      'tools/list': () => ({ tools: many }),
      'tools/call': () => ({ resultType: 'complete', content: [] }),
    });
    const fifty = Array.from({ length: 50 }, (_, i) => [
      `server-with-a-long-name-${i}`,
      i % 5 === 0
        ? { url: `http://127.0.0.1:9/${'path/'.repeat(40)}` }
        : { ...big.entry, tags: ['production', 'team-a'] },
    ]);
    large = await startGateway({
      gateway: { startConcurrency: 50 },
      mcpServers: { ...Object.fromEntries(fifty), widgets: { ...big.entry, expose: 'compact' } },
    });
  });

  afterAll(async () => {
    await large[Symbol.asyncDispose]();
    await big[Symbol.asyncDispose]();
  });

  test('_list shows 200 tools in pages under 8 KB, each tool once', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = await call(large.mcp, 'widgets_list', cursor === undefined ? {} : { cursor });
      expect(bytesOf(result)).toBeLessThan(8 * KiB);
      const page = JSON.parse(textOf(result)) as { tools: string[]; more?: number; cursor?: string };
      seen.push(...page.tools);
      expect(page.more ?? 0).toBe(200 - seen.length);
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(200);
    const nameIn = (line: string) => line.slice(0, line.indexOf('('));
    const { result } = await call(large.mcp, 'widgets_list', { query: 'widget number 42' });
    expect(bytesOf(result)).toBeLessThan(8 * KiB);
    expect(textOf(result)).toMatch(/^\{"tools":\["manage_widget_number_42\(/);
    const { result: whole } = await call(large.mcp, 'widgets_list', { detail: 'full' });
    expect(new Set((JSON.parse(textOf(whole)) as Json[]).map(({ name }) => name))).toEqual(new Set(seen.map(nameIn)));
  });

  test('find_tools stays under 8 KB with 8,000 tools, even with a high limit', async () => {
    const url = `${large.mcp}?expose=search`;
    const { result } = await call(url, 'find_tools', { query: 'manage widget' });
    expect(bytesOf(result)).toBeLessThan(8 * KiB);
    expect(JSON.parse(textOf(result))).toMatchObject({ tools: expect.objectContaining({ length: 10 }) as string[] });
    const fifty = await call(url, 'find_tools', { query: 'manage widget', limit: 50 });
    expect(bytesOf(fifty.result)).toBeLessThan(8 * KiB);
    const { tools, more } = JSON.parse(textOf(fifty.result)) as { tools: string[]; more: number };
    expect(tools.length + more).toBe(50);
  });

  test('describe_tools shows what fits, and names the rest', async () => {
    const names = many.slice(0, 15).map(({ name }) => `widgets__${name}`);
    const { result } = await call(`${large.mcp}?expose=search`, 'describe_tools', { names });
    expect(bytesOf(result)).toBeLessThan(8 * KiB);
    const { tools, more } = JSON.parse(textOf(result)) as { tools: { name: string }[]; more: string[] };
    expect(tools.length).toBeGreaterThan(1);
    expect([...tools.map(({ name }) => name), ...more]).toEqual(names);
  });

  test('gateway_status of 51 servers stays under 8 KB: failing servers first, the rest by name', async () => {
    const { result } = await call(large.mcp, 'gateway_status');
    expect(bytesOf(result)).toBeLessThan(8 * KiB);
    const { backends, more } = result.structuredContent as {
      backends: { name: string; state: string }[];
      more: number;
    };
    expect(backends.length + more).toBe(51);
    expect(backends.length).toBeGreaterThanOrEqual(6);
    expect(backends[0]?.state).not.toBe('RUNNING');
    const one = await call(large.mcp, 'gateway_status', { server: 'server-with-a-long-name-49' });
    expect(one.result.structuredContent).toMatchObject({
      backends: [{ name: 'server-with-a-long-name-49', state: 'RUNNING', tools: 200 }],
    });
    const all = await call(large.mcp, 'gateway_status', { limit: 100 });
    expect((all.result.structuredContent as { backends: unknown[] }).backends).toHaveLength(51);
  });

  test('get_events stays under 8 KB, and its cursor continues without a gap', async () => {
    const first = await call(large.mcp, 'get_events', { event_type: 'gateway.*' });
    expect(bytesOf(first.result)).toBeLessThan(8 * KiB);
    const { events, cursor } = first.result.structuredContent as { events: Json[]; cursor: string };
    const second = await call(large.mcp, 'get_events', { event_type: 'gateway.*', cursor });
    expect(bytesOf(second.result)).toBeLessThan(8 * KiB);
    const next = (second.result.structuredContent as { events: Json[] }).events;
    const whole = await call(large.mcp, 'get_events', { event_type: 'gateway.*', limit: 200 });
    const all = (whole.result.structuredContent as { events: Json[] }).events.map((event) => JSON.stringify(event));
    const from = all.indexOf(JSON.stringify(events[0]));
    expect([...events, ...next].map((event) => JSON.stringify(event))).toEqual(
      all.slice(from, from + events.length + next.length),
    );
  });

  test('gateway_status says what each exposure costs', async () => {
    const { exposure } = (await call(large.mcp, 'gateway_status', { limit: 1 })).result.structuredContent as {
      exposure: Record<Exposure, { tools: number; bytes: number; tokens: number }>;
    };
    for (const expose of ['flat', 'compact', 'search'] as const) {
      const tools = await listed(`${large.mcp}?expose=${expose}`);
      const bytes = bytesOf(tools);
      expect(exposure[expose]).toEqual({ tools: tools.length, bytes, tokens: Math.round(bytes / 4) });
    }
    expect(exposure.search.bytes).toBeLessThan(exposure.compact.bytes);
    expect(exposure.compact.bytes).toBeLessThan(exposure.flat.bytes / 100);
  });
});

describe('find_tools over real-world servers', () => {
  const servers: Record<string, [string, string, string][]> = {
    github: [
      ['create_issue', 'Create a new issue in a GitHub repository', 'owner repo title body labels'],
      ['list_issues', 'List issues in a GitHub repository with filtering options', 'owner repo state labels'],
      ['create_pull_request', 'Create a new pull request in a GitHub repository', 'owner repo title head base'],
      ['merge_pull_request', 'Merge a pull request', 'owner repo pull_number merge_method'],
      ['search_code', 'Search for code across GitHub repositories', 'q sort order'],
    ],
    files: [
      ['read_text_file', 'Read the complete contents of a file from the file system as text', 'path head tail'],
      ['write_file', 'Create a new file or completely overwrite an existing file with new content', 'path content'],
      ['move_file', 'Move or rename files and directories', 'source destination'],
      ['list_directory', 'Get a detailed listing of all files and directories in a specified path', 'path'],
    ],
    postgres: [
      ['execute_sql', 'Run an SQL query against the database and return rows', 'sql'],
      ['list_tables', 'List the tables of a schema', 'schema'],
      ['explain_query', 'Show the execution plan of a query', 'sql analyze'],
    ],
    slack: [
      ['post_message', 'Post a new message to a Slack channel', 'channel_id text'],
      ['get_channel_history', 'Get recent messages from a channel', 'channel_id limit'],
      ['add_reaction', 'Add an emoji reaction to a message', 'channel_id timestamp reaction'],
    ],
    browser: [
      ['navigate', 'Navigate to a URL', 'url'],
      ['take_screenshot', 'Take a screenshot of the current page', 'filename fullPage'],
      ['click', 'Perform click on a web page', 'element ref'],
    ],
  };
  let backends: ScriptedServer[];
  let mixed: TestGateway;

  beforeAll(async () => {
    const entries = await Promise.all(
      Object.entries(servers).map(async ([server, tools]) => {
        const wire = tools.map(([name, description, keys]) => ({
          name,
          description,
          inputSchema: {
            type: 'object',
            properties: Object.fromEntries(keys.split(' ').map((key) => [key, { type: 'string' }])),
          },
        }));
        return [server, await startScripted('modern', { 'tools/list': () => ({ tools: wire }) })] as const;
      }),
    );
    backends = entries.map(([, backend]) => backend);
    mixed = await startGateway({
      mcpServers: Object.fromEntries(entries.map(([server, { entry }]) => [server, entry])),
    });
  });

  afterAll(async () => {
    await mixed[Symbol.asyncDispose]();
    await Promise.all(backends.map((backend) => backend[Symbol.asyncDispose]()));
  });

  test.each([
    ['open a bug in the tracker: create an issue', 'github__create_issue'],
    ['merge a pull request', 'github__merge_pull_request'],
    ['run sql', 'postgres__execute_sql'],
    ['send a message to a slack channel', 'slack__post_message'],
    ['take a screenshot of the page', 'browser__take_screenshot'],
    ['read a file', 'files__read_text_file'],
    ['rename a file', 'files__move_file'],
    ['emoji', 'slack__add_reaction'],
    ['which servers are running? status of the gateway', 'gateway_status'],
    ['add a new mcp server', 'gateway_add_server'],
    ['screnshot', 'browser__take_screenshot'],
  ])('%s: %s first', async (query, name) => {
    const [first = ''] = await linesOf('find_tools', { query }, `${mixed.mcp}?expose=search`);
    expect(first.slice(0, first.indexOf('('))).toBe(name);
  });
});
