import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slugOf } from '../../../src/bridge/identity.ts';
import type { Connections } from '../../../src/n8n/client/shapes.ts';
import { withoutCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { callTool, connectV1, connectV2, type Json, startGateway, type TestGateway } from '../harness.ts';
import { hook, line, make, node } from '../../support/workflows.ts';
import { openWorkbench, type Reached, reachN8n, type Workbench } from '../../support/workbench.ts';
import { startArithmeticModel } from './arithmetic-model.ts';

const ai = '@n8n/n8n-nodes-langchain.';

/** A user's workflow: an agent with a calculator. It is never published and never changed. */
function agentWithCalculator() {
  const nodes = [
    node('When chat message received', `${ai}chatTrigger`, 1.3, {}, { webhookId: crypto.randomUUID() }),
    node('AI Agent', `${ai}agent`, 3, { options: {} }),
    node('Calculator', `${ai}toolCalculator`, 1),
  ];
  const connections: Connections = {
    'When chat message received': { main: [[{ node: 'AI Agent', type: 'main', index: 0 }]] },
    Calculator: { ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] },
  };
  return { nodes, connections };
}

/** "What is 25 * 42?", asked by an agent of ARK, by any MCP client, and by an agent in n8n. */
describe.skipIf(n8nIsMissing)("n8n's calculator as a tool", () => {
  let reached: Reached;
  let bench: Workbench;
  let gateway: TestGateway;
  let tool: string;
  let source: string;
  const stack = new AsyncDisposableStack();

  beforeAll(async () => {
    reached = await reachN8n();
    bench = stack.use(await openWorkbench([], reached));
    ({ id: source } = await make(bench, 'sums', agentWithCalculator(), { publish: false }));
    const { url, apiKey, owner } = reached;
    gateway = stack.use(
      await startGateway({
        n8n: { default: { url, apiKey, ...(owner && { login: owner }) } },
        nodes: withoutCatalogue,
        bridge: {
          apply: 'auto',
          workflows: { tag: '', availableInMCP: false },
          tools: { workflows: [bench.name('sums')] },
          poll: '1h',
        },
      }),
    );
    tool = `${slugOf(bench.name('sums'))}__Calculator`;
    await listed(tool);
  }, N8N_START_MS);
  afterAll(() => stack.disposeAsync(), 60_000);

  async function listed(name: string): Promise<void> {
    for (const end = Date.now() + 20_000; !gateway.runtime.apis.gateway.registry.find(name); await delay(50)) {
      if (Date.now() < end) continue;
      const names = gateway.runtime.apis.gateway.registry.all().map((one) => one.name);
      throw new Error(`${name} is not listed. There are: ${names.filter((one) => one.includes('__')).join(', ')}`);
    }
  }

  test.each([
    ['SSE, as ARK connects', () => connectV1(gateway, { transport: 'sse' })],
    ['Streamable HTTP of 2025', () => connectV2(gateway, { era: 'legacy' })],
    ['Streamable HTTP of 2026', () => connectV2(gateway, { era: 'modern' })],
  ] as const)('25 * 42 is 1050 over %s', async (_, connect) => {
    await using client = await connect();
    const { tools } = (await client.listTools()) as { tools: Json[] };
    const found = tools.find(({ name }) => name === tool);
    expect(found).toMatchObject({
      description: expect.stringContaining('calculat'),
      inputSchema: { type: 'object', properties: { input: { type: 'string' } } },
    });
    const answer = (await callTool(client, tool, { input: '25*42' })) as { content: { text: string }[] };
    expect(answer.content[0]?.text).toContain('1050');
  });

  test.each(['expression', 'query'])('a sole text is its input, whatever it is called: %s', async (name) => {
    await using client = await connectV2(gateway);
    const answer = (await callTool(client, tool, { [name]: '25*42' })) as { content: { text: string }[] };
    expect(answer).toMatchObject({ content: [{ text: '1050' }] });
    expect(answer).not.toHaveProperty('isError');
  });

  test('what it cannot work out is an error', async () => {
    await using client = await connectV2(gateway);
    for (const input of ['the capital of France', ''])
      expect(await callTool(client, tool, { input })).toMatchObject({
        isError: true,
        content: [{ text: "I don't know how to do that." }],
      });
    const { events } = await gateway.stored({ tool, type: 'tool.call_failed' });
    expect(events).toHaveLength(2);
  });

  test('invalid arguments are refused before n8n is asked', async () => {
    await using client = await connectV2(gateway);
    const answer = (await callTool(client, tool, { input: 42 })) as { isError?: boolean; content: { text: string }[] };
    expect(answer.isError).toBe(true);
    expect(answer.content[0]?.text).toMatch(/input/);
  });

  test('an agent in n8n uses it through Sluice, with n8n as client and server', async () => {
    await using model = await startArithmeticModel((names) => names.find((name) => name.endsWith('Calculator')));
    const credential = await bench.client.credentials.create({
      name: bench.name('model'),
      type: 'openAiApi',
      data: { apiKey: 'none', url: model.url, header: false },
    });
    try {
      const body = line(
        hook(bench.name('ask')),
        node('Agent', `${ai}agent`, 3, { promptType: 'define', text: '={{ $json.body.question }}', options: {} }),
      );
      const connections: Connections = {
        ...body.connections,
        Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
        Sluice: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
      };
      const model1 = node(
        'Model',
        `${ai}lmChatOpenAi`,
        1.2,
        { model: { __rl: true, mode: 'id', value: 'arithmetic' }, options: {} },
        { credentials: { openAiApi: { id: credential.id, name: credential.name } } },
      );
      const sluice = node('Sluice', `${ai}mcpClientTool`, 1.2, {
        endpointUrl: gateway.mcp,
        serverTransport: 'httpStreamable',
        authentication: 'none',
        include: 'all',
      });
      const asked = await make(bench, 'ask', { nodes: [...body.nodes, model1, sluice], connections });
      const response = await fetch(`${bench.url}/webhook/${bench.name('ask')}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ question: 'What is 25 * 42?' }),
      });
      expect(await response.text()).toContain('1050');
      expect(model.asked).toHaveLength(2);
      const { events } = await gateway.stored({ tool, type: 'tool.call_completed', limit: 1 });
      expect(events).toHaveLength(1);
      await bench.client.workflows.delete(asked.id);
    } finally {
      await bench.client.credentials.delete(credential.id);
    }
  }, 60_000);

  test('it disappears with its workflow, and nothing generated stays behind', async () => {
    await bench.client.workflows.delete(source);
    const bridge = await gateway.runtime.apis.bridge.open();
    await bridge?.deps.refresh('default', source);
    expect(gateway.runtime.apis.gateway.registry.find(tool)).toBeUndefined();
    const left = (await Array.fromAsync(bench.client.workflows.all())).map(({ name }) => name);
    expect(left.filter((name) => name.includes(bench.name('sums')))).toEqual([]);
  }, 30_000);
});
