import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Workflow } from '../../../src/n8n/client/shapes.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { node } from '../../support/workflows.ts';
import { agentWith, ai, calculator, openToolBench, textOf, tool, type ToolBench } from '../../support/tool-bench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

interface Status {
  workflows: { id: string; tools?: { tool: string; state: string; reason?: string }[] }[];
}

const dead = (name: string) =>
  tool(name, 'mcpClientTool', 1.2, {
    endpointUrl: 'http://127.0.0.1:9/mcp',
    serverTransport: 'httpStreamable',
    authentication: 'none',
    include: 'all',
    options: {},
  });

describe.skipIf(missing)('tools that n8n cannot load, or that cannot be bridged', () => {
  let bench: ToolBench;
  let source: Workflow;

  beforeAll(async () => {
    bench = await openToolBench({ bridge: { apply: 'auto' } });
    source = await bench.agent('step', [calculator()]);
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose](), 60_000);

  const named = (workflow: string, ...names: string[]) => names.map((name) => `${bench.slug(workflow)}__${name}`);

  test('a broken tool breaks only itself, and is reported with the reason', async () => {
    const lost = tool('needs a key', 'n8n-nodes-base.httpRequestTool', 4.2, {
      toolDescription: 'x',
      url: 'http://127.0.0.1:9',
      options: {},
    });
    const vector = node('papers', `${ai}vectorStoreInMemory`, 1.1, {
      mode: 'retrieve-as-tool',
      toolDescription: 'x',
    });
    await bench.put(source, agentWith([calculator(), dead('dead server'), lost, vector]));
    await bench.refresh();
    await bench.until(bench.slug('step'), named('step', 'Calculator', 'needs_a_key'));
    expect(textOf(await bench.call('step', 'Calculator', { input: '25*42' }))).toContain('1050');
    const { workflows } = await bench.own<Status>('bridge_status', { workflow: source.id });
    const state = (name: string) => workflows[0]?.tools?.find((one) => one.tool === `${bench.slug('step')}__${name}`);
    expect(state('dead_server')).toMatchObject({ state: 'broken', reason: expect.stringContaining('connect') });
    expect(state('papers')).toMatchObject({ state: 'broken', reason: expect.stringContaining('papers') });
  });

  test('a tool that cannot be bridged is reported with the reason', async () => {
    const own = `${bench.gateway.url}/mcp`;
    const bound = tool('bound', 'n8n-nodes-base.httpRequestTool', 4.2, {
      toolDescription: 'x',
      url: "=http://127.0.0.1:9/{{ $('When chat message received').item.json.sessionId }}",
      options: {},
    });
    const loop = {
      ...dead('loop'),
      parameters: { ...dead('loop').parameters, endpointUrl: own.replace('127.0.0.1', 'localhost') },
    };
    await bench.put(source, agentWith([calculator(), bound, loop]));
    await bench.refresh();
    const { workflows } = await bench.own<Status>('bridge_status', { workflow: source.id });
    const reasons = Object.fromEntries(
      (workflows[0]?.tools ?? []).map(({ tool: name, state, reason }) => [name, `${state}: ${reason}`]),
    );
    expect(reasons[`${bench.slug('step')}__bound`]).toMatch(
      /impossible: .*parameter url uses \$\('When chat message received'\)/,
    );
    expect(reasons[`${bench.slug('step')}__loop`]).toMatch(/impossible: "loop" lists the tools of this gateway/);
    // The separate endpoints of the broken tools are deleted with them.
    expect(await bench.generated()).toHaveLength(1);
  });

  test('tools with the same name or names in other scripts get unique names', async () => {
    await bench.put(
      source,
      agentWith([calculator('Get user'), calculator('Get_user'), calculator('计算器'), calculator('🚀')]),
    );
    await bench.refresh();
    await expect.poll(() => bench.listed(bench.slug('step'))).toHaveLength(4);
    for (const name of await bench.listed(bench.slug('step'))) {
      const answer = await bench.call('step', name.slice(bench.slug('step').length + 2), { input: '25*42' });
      expect(textOf(answer)).toContain('1050');
    }
  });
});
