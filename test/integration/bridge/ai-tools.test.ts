import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { callTool, connectV1, connectV2, startReference } from '../harness.ts';
import { line, make, node, set } from '../../support/workflows.ts';
import {
  calculator,
  type Called,
  codeTool,
  openToolBench,
  textOf,
  tool,
  type ToolBench,
} from '../../support/tool-bench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)("n8n's AI tools", () => {
  let bench: ToolBench;
  const stack = new AsyncDisposableStack();

  beforeAll(async () => {
    bench = stack.use(await openToolBench());
    const web = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ path: request.url, asked: request.headers['x-asked'] ?? null }));
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    stack.defer(() => void web.close());
    const reference = stack.use(await startReference('http', 'legacy'));
    const { id: greeting } = await make(
      bench.n8n,
      'greeting',
      line(
        node('In', 'executeWorkflowTrigger', 1.1, {
          inputSource: 'workflowInputs',
          workflowInputs: { values: [{ name: 'person' }, { name: 'times', type: 'number' }] },
        }),
        set('Out', '({ said: ("hi " + $json.person + " ").repeat($json.times).trim() })'),
      ),
    );
    await bench.agent('kinds', [
      calculator(),
      codeTool('reverse', 'return query.text.split("").reverse().join("")'),
      tool('fetch page', 'n8n-nodes-base.httpRequestTool', 4.2, {
        toolDescription: 'Gets a page',
        url: `=http://127.0.0.1:${(web.address() as AddressInfo).port}/{{ $fromAI('page', 'which page', 'string') }}`,
        options: {},
      }),
      tool('greet', 'toolWorkflow', 2.2, {
        description: 'Greets a person',
        workflowId: { __rl: true, mode: 'id', value: greeting },
        workflowInputs: {
          mappingMode: 'defineBelow',
          value: {
            person: "={{ $fromAI('person', 'who', 'string') }}",
            times: "={{ $fromAI('times', 'how often', 'number') }}",
          },
          matchingColumns: [],
          schema: [
            { id: 'person', displayName: 'person', display: true, type: 'string' },
            { id: 'times', displayName: 'times', display: true, type: 'number' },
          ],
        },
      }),
      tool('think', 'toolThink', 1.1),
      tool('next week', 'n8n-nodes-base.dateTimeTool', 2, {
        operation: 'addToDate',
        magnitude: "={{ $fromAI('date', 'a date', 'string') }}",
        duration: 7,
        options: {},
      }),
      tool('server', 'mcpClientTool', 1.2, {
        endpointUrl: reference.entry.url,
        serverTransport: 'httpStreamable',
        authentication: 'none',
        include: 'selected',
        includeTools: ['echo'],
        options: {},
      }),
    ]);
    await bench.own('bridge_apply');
    await bench.until(
      bench.slug('kinds'),
      ['Calculator', 'reverse', 'fetch_page', 'greet', 'think', 'next_week', 'server_echo'].map(
        (name) => `${bench.slug('kinds')}__${name}`,
      ),
    );
  }, N8N_START_MS);
  afterAll(() => stack.disposeAsync(), 60_000);

  test.each([
    ['a Calculator', 'Calculator', { input: '25*42' }, '1050'],
    ['a Code tool', 'reverse', { text: 'sluice' }, 'eciuls'],
    ['an HTTP Request tool', 'fetch_page', { page: 'about' }, '/about'],
    ['a Workflow tool', 'greet', { person: 'Ann', times: 2 }, 'hi Ann hi Ann'],
    ['a Think tool', 'think', { input: 'what now' }, 'what now'],
    ['a tool made of a node', 'next_week', { date: '2026-11-15T12:00:00Z' }, '2026-11-22'],
    ['a tool of another MCP server', 'server_echo', { text: 'there and back' }, 'there and back'],
  ])('%s is called', async (_, name, args, expected) => {
    const answer = await bench.call('kinds', name, args);
    expect(textOf(answer)).toContain(expected);
    expect(answer.isError ?? false).toBe(false);
  });

  test('schemas come from $fromAI, from the tool itself, or from its declaration', async () => {
    const { tools } = (await bench.client.listTools()) as {
      tools: { name: string; description: string; inputSchema: object }[];
    };
    const schema = (name: string) => tools.find((one) => one.name === `${bench.slug('kinds')}__${name}`);
    expect(schema('greet')).toMatchObject({
      description: 'Greets a person',
      inputSchema: { type: 'object', properties: { person: { type: 'string' }, times: { type: 'number' } } },
    });
    expect(schema('reverse')?.inputSchema).toMatchObject({
      properties: { text: { type: 'string' } },
      required: ['text'],
    });
    expect(schema('fetch_page')?.inputSchema).toMatchObject({ properties: { page: { type: 'string' } } });
  });

  test.each([
    ['SSE', () => connectV1(bench.gateway, { transport: 'sse' })],
    ['the first SDK', () => connectV1(bench.gateway)],
    ['the second SDK, 2025', () => connectV2(bench.gateway, { era: 'legacy' })],
    ['the second SDK, 2026', () => connectV2(bench.gateway, { era: 'modern' })],
  ] as const)('25*42 is 1050 over %s', async (_, connect) => {
    await using client = await connect();
    const answer = (await callTool(client, `${bench.slug('kinds')}__Calculator`, { input: '25*42' })) as Called;
    expect(textOf(answer)).toContain('1050');
  });

  test('invalid arguments are refused without asking n8n', async () => {
    const answer = await bench.call('kinds', 'reverse', { text: 5 });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toMatch(/was not called: text/);
  });

  test("an endpoint's secret is shown nowhere, and calls without it are refused", async () => {
    const secret = (await bench.gateway.runtime.store.settings.secret('bridge.header.default')).toString('base64url');
    const status = JSON.stringify([
      await bench.own('gateway_status'),
      await bench.own('bridge_status'),
      bench.gateway.runtime.apis.gateway.status(),
    ]);
    expect(status).not.toContain(secret);
    const [one] = await bench.generated();
    const path = one?.nodes.find(({ type }) => type.endsWith('mcpTrigger'))?.parameters.path;
    const response = await fetch(`${bench.n8n.url}/mcp/${String(path)}`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(403);
  });

  test('every call is an event', async () => {
    await bench.call('kinds', 'Calculator', { input: '1+1' });
    const name = `${bench.slug('kinds')}__Calculator`;
    await expect
      .poll(async () => (await bench.gateway.stored({ tool: name, type: 'tool.call_completed' })).events)
      .not.toHaveLength(0);
  });

  test('generated workflows are in no list, search, usage or backup', async () => {
    const generated = await bench.generated();
    expect(generated.length).toBeGreaterThan(0);
    const n8n = (name: string, params: object) => bench.own('n8n_call', { tool: name, params });
    const seen = JSON.stringify([
      await n8n('n8n_list_workflows', { name: bench.name('') }),
      await n8n('n8n_search_workflows', { node_type: 'mcpTrigger' }),
      await n8n('n8n_find_node_usage', { node: 'toolCalculator' }),
      await n8n('n8n_list_credentials', { type: 'httpHeaderAuth' }),
    ]);
    for (const { id } of generated) expect(seen).not.toContain(id);
    expect(seen).not.toContain(`bridge ${bench.owner}`);
    const all = await n8n('n8n_list_workflows', { name: bench.name(''), include_generated: true });
    expect(JSON.stringify(all)).toContain(generated[0]?.id);
  });
});
