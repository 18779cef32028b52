import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Workflow } from '../../../src/n8n/client/shapes.ts';
import { credentialName } from '../../../src/n8n/generate/header.ts';
import { markOf } from '../../../src/n8n/generated.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { callTool, connectV1, connectV2, type Json, startGateway } from '../harness.ts';
import { hook, line, node, set } from '../../support/workflows.ts';
import { type Called, openRunBench, type RunBench, textOf } from '../../support/run-bench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;
const anything = node('In', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });

describe.skipIf(missing)('the runner that workflows as tools need in n8n', () => {
  let bench: RunBench;
  let home: string;
  let us: string;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sluice-runs-'));
    bench = await openRunBench({
      home,
      bridge: { apply: 'ask', workflows: { tag: '', include: [], outputSchema: 'infer' } },
    });
    us = (await bench.gateway.runtime.store.settings.secret('bridge.owner')).toString('hex').slice(0, 10);
    const include = [bench.name('*')];
    await bench.gateway.reload({
      ...bench.config,
      bridge: { apply: 'ask', workflows: { include, availableInMCP: false, outputSchema: 'infer' } },
    });
  }, N8N_START_MS);
  afterAll(async () => {
    await bench?.[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  });

  const generated = async () =>
    (await Array.fromAsync(bench.n8n.client.workflows.all())).filter((one) => markOf(one)?.owner === us);
  const ask = async (tool: string, args: Json = {}) => {
    await using client = await connectV2(bench.gateway);
    return (await callTool(client, tool, args)) as Called;
  };

  test('nothing is written before the user agrees, but workflows that need no runner are tools', async () => {
    await bench.workflow('hooked', line(hook(bench.name('hooked')), set('Out', '({ total: $json.body.n })')));
    const { id } = await bench.workflow('called', line(anything, set('Out', '({ got: $json.n })')), { listed: false });
    await bench.refresh();
    expect((await bench.tools()).map(({ name }) => name)).not.toContain(bench.tool('called'));
    expect(await generated()).toEqual([]);
    const status = textOf(await ask('bridge_status', { workflow: id }));
    expect(status).toContain('sluice bridge apply');
    const plan = (await ask('bridge_plan')).structuredContent as {
      workflows: { id: string; run?: string; generate: boolean }[];
      writes: string[];
    };
    expect(plan.workflows.find((one) => one.id === id)).toMatchObject({ run: bench.tool('called'), generate: true });
    expect(plan.workflows.find((one) => one.run === bench.tool('hooked'))).toMatchObject({ generate: false });
    expect(plan.writes.join()).toContain('[sluice] runner');
    expect(await generated()).toEqual([]);
  }, 30_000);

  test('bridge_apply creates it once', async () => {
    expect(await ask('bridge_apply')).not.toHaveProperty('isError');
    expect((await bench.call('called', { n: 1 })).structuredContent).toEqual({ got: 1 });
    expect(await generated()).toHaveLength(1);
    await ask('bridge_apply');
    expect(await generated()).toHaveLength(1);
  }, 30_000);

  test('an output schema is learnt from results, and later results satisfy it', async () => {
    expect((await bench.call('hooked', { n: 1 })).structuredContent).toEqual({ total: 1 });
    await expect
      .poll(async () => (await bench.listed(bench.tool('hooked')))?.outputSchema, { timeout: 10_000 })
      .toEqual({ type: 'object', properties: { total: { type: ['number', 'null'] } } });
    // The SDK validates results against the listed schema.
    await using client = await connectV1(bench.gateway);
    await client.listTools();
    const odd = await callTool(client, bench.tool('hooked'), { n: 'many' });
    expect(odd.isError ?? false).toBe(false);
    expect(odd.structuredContent).toEqual({});
    expect(textOf(odd as Called)).toBe('{"total":"many"}');
  }, 30_000);

  test('if somebody deletes it, the next call says so, and it is created again', async () => {
    const [runner] = await generated();
    await bench.n8n.client.workflows.delete(runner?.id ?? '');
    const result = await bench.call('called', { n: 2 });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('is missing');
    await expect
      .poll(async () => (await bench.call('called', { n: 3 })).structuredContent, { timeout: 15_000 })
      .toEqual({ got: 3 });
  }, 40_000);

  test('after a restart without n8n everything is listed, and a call says that n8n cannot be reached', async () => {
    const names = (await bench.tools()).map(({ name }) => name).filter((name) => String(name).startsWith('run_'));
    await using copy = await startGateway(
      { ...bench.config, n8n: { default: { url: 'http://127.0.0.1:9', apiKey: 'k' } } },
      { home, settle: false },
    );
    await using client = await connectV2(copy);
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(names));
    const result = (await callTool(client, bench.tool('hooked'), { n: 1 })) as Called;
    expect(textOf(result)).toMatch(/cannot be reached: .*The workflow did not run\. Try again/);
    expect(result._meta).toMatchObject({ 'sluice/error': { code: 'unavailable', retryable: true } });
    const status = (await callTool(client, 'bridge_status', {})) as Called;
    expect(status.structuredContent).toMatchObject({
      instances: [{ problem: expect.stringContaining('127.0.0.1:9') }],
    });
  }, 30_000);

  async function cleanUp(): Promise<void> {
    const first = await ask('bridge_cleanup');
    const confirm = (first._meta?.['sluice/error'] as { confirm: string } | undefined)?.confirm;
    const second = await ask('bridge_cleanup', { confirm });
    expect(second.isError ?? false, textOf(second)).toBe(false);
  }
  const credentials = async () =>
    (await Array.fromAsync(bench.n8n.client.credentials.all())).filter(({ name }) => name === credentialName(us));

  test('bridge_cleanup leaves nothing generated behind, and removes the tools that needed it', async () => {
    await cleanUp();
    expect(await generated()).toEqual([]);
    expect(await credentials()).toEqual([]);
    await bench.listed(bench.tool('called'), false);
    await bench.listed(bench.tool('hooked'));
  }, 30_000);

  test('a runner created by n8n_execute_workflow is hidden, used by the bridge too, and removed with the rest', async () => {
    const n8n = async (tool: string, params: Json = {}) => {
      const result = await ask('n8n_call', { tool, params });
      expect(result.isError ?? false, textOf(result)).toBe(false);
      return JSON.stringify(result.structuredContent ?? textOf(result));
    };
    const [called] = (await bench.n8n.client.workflows.page({ name: bench.name('called') })).items;
    const execute = () =>
      n8n('n8n_execute_workflow', { id: called?.id, data: { n: 4 }, way: 'sub-workflow', create_runner: true });
    expect(await execute()).toContain('"got":4');
    const [runner] = await generated();
    expect(markOf(runner as Workflow)).toMatchObject({ kind: 'runner', part: 'asked' });
    const id = runner?.id ?? '';

    await bench.refresh();
    expect((await generated()).map((one) => one.id)).toEqual([id]);
    await bench.listed(bench.tool('called'), false);
    expect(await n8n('n8n_list_workflows', { name: '[sluice]' })).not.toContain(id);
    expect(await n8n('n8n_list_workflows', { name: '[sluice]', include_generated: true })).toContain(id);
    expect(await n8n('n8n_search_workflows', { text: 'x-sluice-execution' })).not.toContain(id);
    expect(await n8n('n8n_find_node_usage', { node: 'n8n-nodes-base.set' })).not.toContain(id);
    expect(await n8n('n8n_list_credentials', { limit: 100 })).not.toContain(us);
    expect((await ask('bridge_status')).structuredContent).toMatchObject({ instances: [{ generated: { count: 1 } }] });

    expect(await ask('bridge_apply')).not.toHaveProperty('isError');
    await bench.listed(bench.tool('called'));
    expect((await bench.call('called', { n: 5 })).structuredContent).toEqual({ got: 5 });
    expect(await execute()).toContain('"got":4');
    expect((await generated()).map((one) => one.id)).toEqual([id]);
    expect(await credentials()).toHaveLength(1);

    await cleanUp();
    expect(await generated()).toEqual([]);
    expect(await credentials()).toEqual([]);
  }, 60_000);
});
