import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Connections, Node } from '../../../src/n8n/client/shapes.ts';
import { slugOf } from '../../../src/bridge/identity.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { callTool } from '../harness.ts';
import { hook, line, make, node } from '../../support/workflows.ts';
import { startArithmeticModel } from './arithmetic-model.ts';
import { ai, calculator, type Called, openToolBench, textOf, tool, type ToolBench } from '../../support/tool-bench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;
const anything = node('In', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
const aiTools: Connections[string] = { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] };

/** A server whose answers wait until the test opens it. */
async function openDoor() {
  const knocking: ServerResponse[] = [];
  const server = createServer((_, response) => void knocking.push(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    until: (many: number) => vi.waitFor(() => expect(knocking.length).toBeGreaterThanOrEqual(many), 30_000),
    open: () => {
      for (const response of knocking) response.end('{}');
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Concurrent, because they mostly wait for n8n to publish. */
describe.skipIf(missing).concurrent('a tool that calls itself through the bridge', { timeout: 60_000 }, () => {
  let bench: ToolBench;

  beforeAll(async () => {
    bench = await openToolBench({ bridge: { apply: 'auto' } });
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose](), 60_000);

  const run = (name: string) => `run_${slugOf(bench.name(name))}`;
  const aiTool = (name: string) => `${bench.slug(name)}__again`;

  const client = (wanted: string): Node => ({
    ...node('Client', `${ai}mcpClient`, 1, {
      endpointUrl: bench.gateway.mcp,
      serverTransport: 'httpStreamable',
      authentication: 'none',
      tool: { __rl: true, mode: 'id', value: wanted },
      inputMode: 'json',
      jsonInput: '{}',
      options: {},
    }),
    onError: 'continueRegularOutput',
  });

  const request = (wanted: string, headers: Record<string, string> = {}): Node =>
    node('Ask', 'httpRequest', 4.2, {
      method: 'POST',
      url: `${bench.gateway.url}/api/v1/mcp/invoke`,
      sendHeaders: true,
      headerParameters: { parameters: Object.entries(headers).map(([name, value]) => ({ name, value })) },
      sendBody: true,
      specifyBody: 'json',
      jsonBody: JSON.stringify({ name: wanted, arguments: {} }),
      options: { response: { response: { neverError: true } } },
    });

  /** A published workflow, and a tool itself if `chosen`. */
  async function workflow(name: string, body: { nodes: Node[]; connections: Connections }, chosen = false) {
    const made = await make(bench.n8n, name, body);
    if (chosen) await bench.n8n.client.workflows.setTags(made.id, [bench.tag.id]);
    return made.id;
  }

  /** An AI tool that runs a workflow. */
  async function runsWorkflow(name: string, workflowId: unknown): Promise<void> {
    await bench.agent(name, [tool('again', 'toolWorkflow', 2.2, { description: 'Again', workflowId })]);
  }
  const fixed = (id: string) => ({ __rl: true, mode: 'id', value: id });

  /** The answer of the call, and how often n8n was called. */
  async function called(name: string): Promise<{ said: string; times: number }> {
    await bench.refresh();
    await bench.until(name, [name]);
    const said = textOf((await callTool(bench.client, name, {})) as Called);
    const { events } = await bench.gateway.stored({ tool: name, limit: 100 });
    const refused = events.filter(({ data }) => /^(conflict|rate_limited)$/.test(String(data.reason)));
    const ended = events.filter(({ event_type }) => /^tool\.call_(completed|failed)$/.test(event_type));
    return { said, times: ended.length - refused.length };
  }

  test('a workflow, through an MCP client node in it', async () => {
    await workflow('selfish', line(anything, client(run('selfish'))), true);
    const { said, times } = await called(run('selfish'));
    expect(said).toContain('called from within itself');
    expect(times).toBe(1);
  });

  test('an AI tool, through an MCP client node in the workflow that it runs', async () => {
    const id = await workflow('inner', line(anything, client(aiTool('round'))));
    await runsWorkflow('round', fixed(id));
    const { said, times } = await called(aiTool('round'));
    expect(said).toContain('called from within itself');
    expect(times).toBe(1);
  });

  test('an AI tool, through a workflow that runs another, and a tool that runs a third', async () => {
    const last = run('last');
    await workflow('last', line(anything, client(aiTool('long way'))), true);
    const second = await workflow('second', line(anything, client(last)));
    const first = await workflow(
      'first',
      line(anything, node('Next', 'executeWorkflow', 1.1, { workflowId: fixed(second), options: {} })),
    );
    await runsWorkflow('long way', fixed(first));
    const { said, times } = await called(aiTool('long way'));
    expect(said).toContain('called from within itself');
    expect(times).toBe(1);
  });

  test('an AI tool, through an agent in the workflow that it runs, which may use all our tools', async () => {
    await using model = await startArithmeticModel((names) => names.find((name) => name.endsWith(aiTool('thinking'))));
    const credential = await bench.n8n.client.credentials.create({
      name: bench.name('model'),
      type: 'openAiApi',
      data: { apiKey: 'none', url: model.url, header: false },
    });
    try {
      const body = line(
        anything,
        node('Agent', `${ai}agent`, 3, { promptType: 'define', text: 'What is 2 * 3?', options: {} }),
      );
      const mind = node(
        'Model',
        `${ai}lmChatOpenAi`,
        1.2,
        { model: { __rl: true, mode: 'id', value: 'arithmetic' }, options: {} },
        { credentials: { openAiApi: { id: credential.id, name: credential.name } } },
      );
      const sluice = node('Sluice', `${ai}mcpClientTool`, 1.2, {
        endpointUrl: bench.gateway.mcp,
        serverTransport: 'httpStreamable',
        authentication: 'none',
        include: 'all',
      });
      const connections = {
        ...body.connections,
        Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
        Sluice: aiTools,
      };
      const id = await workflow('thinker', { nodes: [...body.nodes, mind, sluice], connections });
      await runsWorkflow('thinking', fixed(id));
      const { said, times } = await called(aiTool('thinking'));
      expect(said).toContain('called from within itself');
      expect(times).toBe(1);
    } finally {
      await bench.n8n.client.credentials.delete(credential.id);
    }
  });

  test.each([
    ['traceparent', { traceparent: '={{ $json.headers.traceparent }}' }],
    ['baggage', { baggage: '={{ $json.headers.baggage }}', traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` }],
  ])('a workflow, through an HTTP Request node that passes on %s', async (header, headers) => {
    const name = `echo ${header}`;
    await workflow(name, line(hook(bench.name(header)), request(run(name), headers)), true);
    const { said, times } = await called(run(name));
    expect(said).toContain('called from within itself');
    expect(times).toBe(1);
  });

  test('is cut off at five calls if an HTTP Request node hides the origin', async () => {
    const id = await workflow('mute inner', line(anything, request(aiTool('mute'))));
    await runsWorkflow('mute', fixed(id));
    const { said, times } = await called(aiTool('mute'));
    expect(said).toContain('as in a loop');
    // The first from outside, and five nested ones.
    expect(times).toBe(6);
  });

  test('is cut off at five calls if it is unknown which workflow it runs', async () => {
    const id = await workflow('dark inner', line(anything, client(aiTool('dark'))));
    await runsWorkflow('dark', { __rl: true, mode: 'id', value: `={{ '${id}' }}` });
    const { said, times } = await called(aiTool('dark'));
    expect(said).toContain('as in a loop');
    expect(times).toBe(6);
  });

  test.each([
    ['is refused', false],
    ['is accepted if the MCP client node passes on the trace of its run', true],
  ])('a second call from n8n at the same time, of a tool that can call itself, %s', async (_, saysSo) => {
    const [slow, asking] = saysSo ? ['long', 'telling'] : ['slow', 'asking'];
    await using door = await openDoor();
    const mayCallAll = client('={{ "gateway_status" }}');
    const wait = node('Wait', 'httpRequest', 4.2, { url: door.url, options: {} });
    await workflow(slow, line(anything, wait, mayCallAll), true);
    const credential = await bench.n8n.client.credentials.create({
      name: bench.name(`run ${slow}`),
      type: 'httpHeaderAuth',
      data: { name: 'traceparent', value: "={{ $('Hook').first().json.headers.traceparent }}" },
    });
    try {
      const plain = client(run(slow));
      const telling: Node = {
        ...plain,
        parameters: { ...plain.parameters, authentication: 'headerAuth' },
        credentials: { httpHeaderAuth: { id: credential.id, name: credential.name } },
      };
      await workflow(asking, line(hook(bench.name(asking)), saysSo ? telling : plain), true);
      await bench.refresh();
      await bench.until(run(asking), [run(asking)]);
      const call = async () => textOf((await callTool(bench.client, run(asking), {})) as Called);
      const first = call();
      await door.until(1);
      const second = call();
      if (saysSo) await door.until(2);
      else expect(await second).toContain('called from within itself');
      door.open();
      for (const said of saysSo ? [await first, await second] : [await first])
        expect(said).not.toContain('within itself');
    } finally {
      await bench.n8n.client.credentials.delete(credential.id);
    }
  });

  test('does not affect others: a tool that calls nothing can be called in parallel from n8n', async () => {
    const [first, second] = ['sums one', 'sums two'].map((name) => hook(bench.name(name)));
    await bench.agent('sums', [calculator()]);
    await bench.refresh();
    const sums = `${bench.slug('sums')}__Calculator`;
    await bench.until(sums, [sums]);
    const asks = { ...client(sums), parameters: { ...client(sums).parameters, jsonInput: '{"input":"25*42"}' } };
    await workflow('sums one', line(first as Node, asks));
    await workflow('sums two', line(second as Node, asks));
    const answers = await Promise.all(
      ['sums one', 'sums two', 'sums one', 'sums two'].map(async (name) => {
        const response = await fetch(`${bench.n8n.url}/webhook/${bench.name(name)}`, { method: 'POST' });
        return JSON.stringify(await response.json());
      }),
    );
    for (const answer of answers) expect(answer).toContain('1050');
  });
});
