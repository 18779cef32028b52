import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AnyClient,
  type Answer,
  callTool,
  connectV1,
  connectV2,
  type Json,
  startGateway,
  type TestGateway,
  textOf,
} from '../integration/harness.ts';
import { ask } from '../support/exchange.ts';
import { byCommand, connectDirectly, everythingOver, type Foreign, programs } from './foreign-servers.ts';

/** Values that differ by connection: session ids, times, traces. */
function essence(value: unknown): unknown {
  const own = new Set(['_meta', 'resultType', 'ttlMs', 'cacheScope', 'lastModified']);
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (own.has(key) ? undefined : inner)));
}

const answers: Record<string, unknown> = {
  'elicitation/create': { action: 'accept', content: { name: 'Ada', check: true, integer: 7 } },
  'sampling/createMessage': {
    role: 'assistant',
    content: { type: 'text', text: 'sampled' },
    model: 'test-model',
    stopReason: 'endTurn',
  },
  'roots/list': { roots: [{ uri: 'file:///project', name: 'Project' }] },
};

/** Answers like a user, and records the questions. */
function user(): { answer: Answer; asked: [string, unknown][] } {
  const asked: [string, unknown][] = [];
  return {
    asked,
    answer(method, params) {
      asked.push([method, essence(params ?? null)]);
      return answers[method];
    },
  };
}

const clients: [string, (gateway: TestGateway, answer: Answer) => Promise<AnyClient & AsyncDisposable>][] = [
  ['SDK v1 (2025)', (gateway, answer) => connectV1(gateway, { answer })],
  ['SDK v2 (2026)', (gateway, answer) => connectV2(gateway, { answer, era: 'modern' })],
];

const ways: [string, () => Promise<Foreign>][] = [
  ['stdio', async () => byCommand(programs.everything)],
  ['its Streamable HTTP', () => everythingOver('streamableHttp')],
  ['its HTTP+SSE', () => everythingOver('sse')],
];

describe.each(ways)('server-everything over %s', (_, start) => {
  let server: Foreign;
  let gateway: TestGateway;
  let direct: Client & AsyncDisposable;
  const directUser = user();

  beforeAll(async () => {
    server = await start();
    gateway = await startGateway({
      memory: false,
      mcpServers: { every: server.entry, own: { ...server.entry, isolation: 'session' } },
    });
    direct = await connectDirectly(server, directUser.answer);
  });

  afterAll(async () => {
    await direct[Symbol.asyncDispose]();
    await gateway[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  test('runs', () => {
    expect(gateway.runtime.apis.gateway.status().backends).toMatchObject([
      { name: 'every', state: 'RUNNING', restarts: 0 },
      { name: 'own', state: 'RUNNING' },
    ]);
  });

  test('its tools pass over the wire unchanged', async () => {
    const { tools } = (await ask(gateway.mcp, 'tools/list')).result as { tools: { name: string }[] };
    const listed = tools.filter(({ name }) => name.startsWith('every__'));
    const bare = listed.map((tool) => ({ ...tool, name: tool.name.slice('every__'.length) }));
    expect(bare).toEqual((await direct.listTools()).tools.sort((a, b) => (a.name < b.name ? -1 : 1)));
  });

  describe.each(clients)('through %s', (__, connect) => {
    let client: AnyClient & AsyncDisposable;
    const throughUser = user();

    beforeAll(async () => {
      client = await connect(gateway, throughUser.answer);
    });

    afterAll(() => client[Symbol.asyncDispose]());

    test('its tools are listed', async () => {
      const names = (await client.listTools()).tools.map(({ name }) => name);
      const own = (await direct.listTools()).tools.map(({ name }) => `every__${name}`);
      expect(names.filter((name) => name.startsWith('every__'))).toEqual(own.sort());
    });

    test.each<[string, Json]>([
      ['echo', { message: 'hi' }],
      ['get-sum', { a: 2, b: 40 }],
      ['get-structured-content', { location: 'Chicago' }],
      ['get-tiny-image', {}],
      ['get-annotated-message', { messageType: 'error', includeImage: true }],
      ['get-resource-links', { count: 3 }],
      ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
      ['get-sum', { a: 'two' }],
    ])('%s %j answers as it does directly', async (name, args) => {
      const timeless = (value: unknown) => JSON.stringify(essence(value)).replaceAll(/\d{1,2}:\d{2}:\d{2}/g, 'now');
      const [through, without] = await Promise.all([
        callTool(client, `every__${name}`, args),
        callTool(direct, name, args),
      ]);
      expect(timeless(through)).toBe(timeless(without));
    });

    test('progress arrives, step by step', async () => {
      const steps: [number, number | undefined][] = [];
      const args = { duration: 0.2, steps: 4 };
      const result = await callTool(client, 'every__trigger-long-running-operation', args, {
        onprogress: ({ progress, total }) => steps.push([progress, total]),
      });
      expect(textOf(result)).toContain('completed');
      expect(steps).toEqual([1, 2, 3, 4].map((step) => [step, 4]));
    });

    test.each(['trigger-elicitation-request', 'trigger-sampling-request'])(
      '%s asks the same, and gets the same answer',
      async (name) => {
        const args = name.includes('sampling') ? { prompt: 'hello', maxTokens: 10 } : {};
        throughUser.asked.length = 0;
        directUser.asked.length = 0;
        const through = await callTool(client, `every__${name}`, args);
        const without = await callTool(direct, name, args);
        // Ignore roots/list: the server asks for it by itself, a moment after it is connected.
        const questions = ({ asked }: ReturnType<typeof user>) => asked.filter(([method]) => method !== 'roots/list');
        expect(questions(throughUser)).toEqual(questions(directUser));
        expect(questions(throughUser)).toHaveLength(1);
        expect(essence(through)).toEqual(essence(without));
      },
    );

    test('it learns the roots of the client whose connection it is', async () => {
      // The server asks a moment after it is connected; the tool asks only if it does not know the roots yet.
      await expect
        .poll(async () => textOf(await callTool(client, 'own__get-roots-list')), { timeout: 10_000 })
        .toContain('file:///project');
    });

    test('resources, templates and prompts are the same as without the gateway', async () => {
      const [resources, templates, prompts] = await Promise.all([
        client.listResources(),
        client.listResourceTemplates(),
        client.listPrompts(),
      ]);
      const own = await Promise.all([direct.listResources(), direct.listResourceTemplates(), direct.listPrompts()]);
      const plain = <T extends { uri?: string; uriTemplate?: string }>(items: T[]) =>
        items.filter(({ uri = '', uriTemplate = '' }) => !`${uri}${uriTemplate}`.startsWith('own+'));
      expect(essence(plain(resources.resources))).toEqual(essence(own[0].resources));
      expect(essence(plain(templates.resourceTemplates))).toEqual(essence(own[1].resourceTemplates));
      const named = prompts.prompts.filter(({ name }) => name.startsWith('every__'));
      expect(essence(named.map((prompt) => ({ ...prompt, name: prompt.name.slice('every__'.length) })))).toEqual(
        essence(own[2].prompts),
      );
      const uri = own[0].resources[0]?.uri ?? '';
      expect(essence(await client.readResource({ uri }))).toEqual(essence(await direct.readResource({ uri })));
      const prompt = { name: 'args-prompt', arguments: { city: 'Paris' } };
      expect(essence(await client.getPrompt({ ...prompt, name: `every__${prompt.name}` }))).toEqual(
        essence(await direct.getPrompt(prompt)),
      );
    });

    test('an unlisted resource is found by its template, or by the result that linked it', async () => {
      const { content } = await callTool(client, 'every__get-resource-links', { count: 2 });
      const uri = String((content as { uri?: string }[]).find((block) => block.uri)?.uri);
      expect((await client.readResource({ uri })).contents).toMatchObject([{ uri }]);
      const dynamic = 'demo://resource/dynamic/text/5';
      expect((await client.readResource({ uri: dynamic })).contents).toMatchObject([
        { uri: dynamic, text: expect.stringContaining('5') as string },
      ]);
    });

    test('completions are those of its prompts and templates', async () => {
      const values = async (
        ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string },
        name: string,
        value: string,
        given?: Record<string, string>,
      ) =>
        (await client.complete({ ref, argument: { name, value }, ...(given && { context: { arguments: given } }) }))
          .completion.values;
      const prompt = { type: 'ref/prompt', name: 'every__completable-prompt' } as const;
      expect(await values(prompt, 'department', 'S')).toEqual(['Sales', 'Support']);
      expect(await values(prompt, 'name', '', { department: 'Engineering' })).toEqual(['Alice', 'Bob', 'Charlie']);
      expect(
        await values({ type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' }, 'resourceId', '7'),
      ).toEqual(['7']);
    });
  });
});

describe('server-memory', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-memory-'));
  });

  afterAll(() => rm(directory, { recursive: true, force: true }));

  test.each(clients)('keeps and finds a graph for %s as it does directly', async (kind, connect) => {
    const memory = (name: string) =>
      byCommand(programs.memory, [], { MEMORY_FILE_PATH: join(directory, `${name}-${kind}.json`) });
    await using gateway = await startGateway({ mcpServers: { memory: memory('through').entry } });
    await using client = await connect(gateway, user().answer);
    await using direct = await connectDirectly(memory('direct'));
    const both = async (tool: string, args: Json) => {
      const through = await callTool(client, `memory__${tool}`, args);
      expect(essence(through)).toEqual(essence(await callTool(direct, tool, args)));
      return through;
    };
    // The SDKs check structured results against the schemas of the list they have read.
    await Promise.all([client.listTools(), direct.listTools()]);
    const entities = ['Ada', 'Grace'].map((name) => ({
      name,
      entityType: 'person',
      observations: [`${name} writes programs`],
    }));
    await both('create_entities', { entities });
    await both('create_relations', { relations: [{ from: 'Ada', to: 'Grace', relationType: 'precedes' }] });
    await both('add_observations', { observations: [{ entityName: 'Ada', contents: ['knows looms', 'tschüß 🎉'] }] });
    const found = await both('search_nodes', { query: 'looms' });
    expect(found.structuredContent).toMatchObject({
      entities: [{ name: 'Ada', observations: ['Ada writes programs', 'knows looms', 'tschüß 🎉'] }],
    });
    await both('delete_entities', { entityNames: ['Grace'] });
    expect((await both('read_graph', {})).structuredContent).toMatchObject({
      entities: [{ name: 'Ada' }],
      relations: [],
    });
    await both('open_nodes', { names: ['nobody'] });
    await both('add_observations', { observations: [{ entityName: 'nobody', contents: ['x'] }] });
  });
});

const CHROMIUM = '/usr/bin/chromium';

// Other machines may lack the browser; in CI it must be there.
describe.skipIf(!existsSync(CHROMIUM) && process.env.CI !== 'true')(
  `@playwright/mcp (skipped without ${CHROMIUM})`,
  () => {
    const flags = ['--executable-path', CHROMIUM, '--headless', '--no-sandbox', '--isolated'];
    const page =
      "<!doctype html><title>Sluice test page</title><h1>Hello</h1><button onclick=\"document.querySelector('h1').textContent = 'Pressed'\">Press me</button>";
    const web = createServer((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page));
    let url: string;
    let output: string;

    beforeAll(async () => {
      output = await mkdtemp(join(tmpdir(), 'sluice-browser-'));
      await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
    });

    afterAll(async () => {
      web.closeAllConnections();
      web.close();
      await rm(output, { recursive: true, force: true });
    });

    test('drives a real browser', { timeout: 90_000 }, async () => {
      const browser = byCommand(programs.playwright, [...flags, '--output-dir', output]);
      await using gateway = await startGateway({ mcpServers: { browser: browser.entry } });
      await using client = await connectV2(gateway, { era: 'modern' });
      await using direct = await connectDirectly(browser);
      const listed = (await client.listTools()).tools.filter(({ name }) => name.startsWith('browser__'));
      expect(essence(listed.map((tool) => ({ ...tool, name: tool.name.slice('browser__'.length) })))).toEqual(
        essence((await direct.listTools()).tools.sort((a, b) => (a.name < b.name ? -1 : 1))),
      );
      expect(textOf(await callTool(client, 'browser__browser_navigate', { url }))).toContain('Sluice test page');
      const snapshot = textOf(await callTool(client, 'browser__browser_snapshot'));
      expect(snapshot).toContain('heading "Hello"');
      const ref = /button "Press me".*?\[ref=([^\]]+)\]/.exec(snapshot)?.[1];
      const clicked = await callTool(client, 'browser__browser_click', { element: 'Press me', target: ref, ref });
      expect(clicked.isError).toBeUndefined();
      expect(textOf(await callTool(client, 'browser__browser_snapshot'))).toContain('heading "Pressed"');
      const shot = await callTool(client, 'browser__browser_take_screenshot', {});
      const image = shot.content?.find(({ type }) => type === 'image') as
        | { data?: string; mimeType?: string }
        | undefined;
      expect(image?.mimeType).toMatch(/^image\//);
      expect(Buffer.from(image?.data ?? '', 'base64').length).toBeGreaterThan(1000);
      const wrong = await callTool(client, 'browser__browser_navigate', { url: 'http://127.0.0.1:9/' });
      expect(wrong.isError).toBe(true);
      await callTool(client, 'browser__browser_close');
    });
  },
);
