import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import vm from 'node:vm';
import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hookFile, type HookTarget } from './hook-file.ts';
import { createHookCheck } from './hook-signature.ts';
import { parseSharedTools } from './shared-tools.ts';

type Hook = (this: unknown, subject?: unknown) => Promise<void>;
type Hooks = Record<string, Record<string, Hook[]>>;

/** Loads the file as n8n does, with its own environment. */
function load(target: HookTarget | { file: string }, env: Record<string, string> = {}): Hooks {
  const module = { exports: {} as Hooks };
  vm.runInNewContext(hookFile(target), {
    require: createRequire(import.meta.url),
    module,
    process: { env },
    console: { error: (line: string) => said.push(line) },
    fetch,
    setTimeout,
    clearTimeout,
    AbortSignal,
  });
  return module.exports;
}

let said: string[] = [];
let directory: string;
beforeEach(async () => {
  said = [];
  directory = await mkdtemp(join(tmpdir(), 'sluice-hook-'));
});
// The last hook may still be writing.
afterEach(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));

async function listen() {
  const received: { headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      received.push({ headers: request.headers, body });
      response.writeHead(202).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('the hook file', () => {
  test('posts only the id of the changed workflow, signed', async () => {
    await using gateway = await listen();
    const hooks = load({ url: gateway.url, secret: 'one' });
    await hooks.workflow?.afterUpdate?.[0]?.call(
      {},
      { id: 'w1', name: 'Private', nodes: [{ parameters: { token: 't' } }] },
    );
    await expect.poll(() => gateway.received).toHaveLength(1);
    const { headers, body } = gateway.received[0] as (typeof gateway.received)[number];
    expect(JSON.parse(body)).toMatchObject({ event: 'workflow.afterUpdate', workflow: 'w1' });
    expect(body).not.toMatch(/Private|token/);
    const verdict = createHookCheck()('one', {
      timestamp: String(headers['x-sluice-timestamp']),
      signature: String(headers['x-sluice-signature']),
      body,
    });
    expect(verdict).toBeUndefined();
  });

  test('environment variables override the target', async () => {
    await using gateway = await listen();
    const hooks = load(
      { url: 'http://127.0.0.1:9/', secret: 'no' },
      { SLUICE_HOOK_URL: gateway.url, SLUICE_HOOK_SECRET: 'x' },
    );
    await hooks.workflow?.afterDelete?.[0]?.call({}, 'w2');
    await expect.poll(() => gateway.received[0]?.body).toContain('"workflow":"w2"');
  });

  test('reads the target for each event', async () => {
    await using gateway = await listen();
    const file = join(directory, 'target.json');
    const hooks = load({ file });
    await hooks.tag?.afterUpdate?.[0]?.call({}, { id: 't' });
    await writeFile(file, JSON.stringify({ url: gateway.url, secret: 'x' }));
    await hooks.tag?.afterDelete?.[0]?.call({}, 't');
    await expect.poll(() => gateway.received).toHaveLength(1);
    expect(JSON.parse(gateway.received[0]?.body ?? '')).toMatchObject({ event: 'tag.afterDelete' });
  });

  test('never throws and never waits, whatever its input and the state of the gateway', async () => {
    const hooks = load({ url: 'http://127.0.0.1:9/', secret: 'x' });
    for (const operations of Object.values(hooks)) {
      for (const [hook] of Object.values(operations)) {
        for (const subject of [undefined, null, 1, {}, { id: 'w' }]) {
          await expect(hook?.call({}, subject)).resolves.toBeUndefined();
        }
      }
    }
  });

  test('writes the shared file, if one is configured', async () => {
    const hooks = load({ url: 'http://127.0.0.1:9/', secret: 'x' }, { TOOLS_SHARED_PATH: directory });
    const nodes = [
      { id: 'n1', name: 'My Calculator!', type: 'calc', parameters: {} },
      { id: 'n2', name: 'Lookup', type: 'http', parameters: { toolDescription: 'Looks things up' }, disabled: true },
      { id: 'n3', name: 'Agent', type: 'agent', parameters: {} },
    ];
    const link = [[{ node: 'Agent', type: 'ai_tool', index: 0 }]];
    const workflow = {
      id: 'w1',
      name: 'Tools',
      updatedAt: new Date(0),
      versionId: 'v1',
      settings: { availableInMCP: true },
      tags: [{ name: 'mcp' }],
      nodes,
      connections: { 'My Calculator!': { ai_tool: link }, Lookup: { ai_tool: link }, Agent: { main: [[]] } },
    };
    const context = { dbCollections: { Workflow: { find: async () => [workflow] } } };
    await hooks.n8n?.ready?.[0]?.call(context);
    await hooks.workflow?.afterUpdate?.[0]?.call(context, workflow);
    await expect.poll(() => readdir(directory)).toEqual(['n8n-tools.json']);
    const shared = parseSharedTools(await readFile(join(directory, 'n8n-tools.json'), 'utf8'));
    expect(shared.workflows).toMatchObject([
      {
        id: 'w1',
        tags: ['mcp'],
        availableInMCP: true,
        tools: [
          { name: 'My_Calculator_', node: 'n1' },
          { name: 'Lookup', description: 'Looks things up', disabled: true },
        ],
      },
    ]);
    expect(said).toEqual([]);
  });

  test.each([
    ['the calculator', 'toolCalculator', {}, { input: { type: 'string' } }, undefined],
    [
      'what $fromAI asks for',
      'n8n-nodes-base.httpRequestTool',
      {
        url: "=https://example.com/{{ $fromAI('page', 'which, \"exactly\"', 'string') }}",
        query: {
          values: [{ value: "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI(`limit`, '', 'number', 5) }}" }],
        },
        flag: "={{ $fromai('deep', undefined, 'Boolean', false) }}{{ $fromAI('more', 'a (nested) one', 'json') }}",
      },
      {
        page: { type: 'string', description: 'which, "exactly"' },
        limit: { type: 'number', default: 5 },
        deep: { type: 'boolean', description: 'undefined', default: false },
        more: { type: ['object', 'array'], description: 'a (nested) one' },
      },
      ['page', 'more'],
    ],
    [
      'names and types such as those of an object',
      'n8n-nodes-base.httpRequestTool',
      { url: "={{ $fromAI('__proto__', 'odd', 'constructor') }}" },
      JSON.parse('{"__proto__":{"type":"string","description":"odd"}}'),
      ['__proto__'],
    ],
    ['no parameters', 'n8n-nodes-base.dateTimeTool', { operation: 'now' }, {}, undefined],
    [
      'a declared schema',
      'toolCode',
      {
        specifyInputSchema: true,
        schemaType: 'manual',
        inputSchema: '{"type":"object","properties":{"a":{"type":"number"}}}',
      },
      { a: { type: 'number' } },
      undefined,
    ],
    [
      'an example',
      'toolCode',
      { specifyInputSchema: true, schemaType: 'fromJson', jsonSchemaExample: '{"city":"Rome","days":[1]}' },
      { city: { type: 'string' }, days: { type: 'array', items: { type: 'number' } } },
      undefined,
    ],
    [
      'placeholders',
      'toolHttpRequest',
      { placeholderDefinitions: { values: [{ name: 'term', description: 'what', type: 'string' }] } },
      { term: { type: 'string', description: 'what' } },
      ['term'],
    ],
  ])('writes the schema of a tool: %s', async (_, type, parameters, properties, required) => {
    const { inputSchema } = await sharedTool({ type, parameters });
    expect(inputSchema).toEqual({ type: 'object', properties, ...(required && { required }) });
  });

  test.each([
    ['@n8n/n8n-nodes-langchain.mcpClientTool', {}],
    ['toolCode', { specifyInputSchema: true, schemaType: 'manual', inputSchema: '{' }],
    ['toolCode', { specifyInputSchema: true, schemaType: 'manual', inputSchema: '["no schema"]' }],
    ['toolCode', { specifyInputSchema: true, schemaType: 'manual', inputSchema: 'null' }],
    ['toolCode', { specifyInputSchema: true, schemaType: 'manual', inputSchema: '{"type":"string"}' }],
    ['toolCode', { specifyInputSchema: true, schemaType: 'fromJson', jsonSchemaExample: '[1]' }],
    ['toolHttpRequest', { placeholderDefinitions: { values: [null] } }],
    ['toolCode', null],
  ])('leaves out a schema that it cannot know: %s %j', async (type, parameters) => {
    expect(await sharedTool({ type, parameters })).not.toHaveProperty('inputSchema');
  });

  /** The tool that the hook shares for a node. */
  async function sharedTool(node: object): Promise<Record<string, unknown>> {
    const hooks = load({ url: 'http://127.0.0.1:9/', secret: 'x' }, { TOOLS_SHARED_PATH: directory });
    const workflow = {
      id: 'w1',
      name: 'Tools',
      nodes: [{ id: 'n1', name: 'it', ...node }],
      connections: { it: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] } },
    };
    await hooks.n8n?.ready?.[0]?.call({ dbCollections: { Workflow: { find: async () => [workflow] } } });
    await expect.poll(() => readdir(directory)).toEqual(['n8n-tools.json']);
    const shared = parseSharedTools(await readFile(join(directory, 'n8n-tools.json'), 'utf8'));
    expect(said).toEqual([]);
    return shared.workflows[0]?.tools[0] as Record<string, unknown>;
  }

  test("logs in n8n's log if the shared file cannot be written", async () => {
    await writeFile(join(directory, 'taken'), '');
    const path = join(directory, 'taken', 'tools.json');
    const hooks = load({ url: 'http://127.0.0.1:9/', secret: 'x' }, { TOOLS_SHARED_PATH: path });
    const context = { dbCollections: { Workflow: { find: async () => [] } } };
    await hooks.n8n?.ready?.[0]?.call(context);
    await expect.poll(() => said[0]).toContain('cannot be written');
  });
});
