import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slugOf } from '../../../src/bridge/identity.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { callTool } from '../harness.ts';
import { hook, line, make, node, set } from '../../support/workflows.ts';
import { agentWith, calculator, type Called, openToolBench, textOf, type ToolBench } from '../../support/tool-bench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

interface Plan {
  workflows: { name: string; chosen: string; expose: string[]; run?: string; generate: boolean }[];
  writes: string[];
  applied: boolean;
}

/** Workflows without a tag, named in `bridge apply`. */
describe.skipIf(missing)('workflows that are chosen by name', () => {
  let bench: ToolBench;

  beforeAll(async () => {
    bench = await openToolBench();
    const called = node('In', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
    const out = set('Out', '({ done: true })');
    await Promise.all([
      make(bench.n8n, 'report', line(called, out)),
      make(bench.n8n, 'hooked', line(hook(bench.name('hooked')), out)),
      make(bench.n8n, 'agent', agentWith([calculator()]), { publish: false }),
      make(bench.n8n, 'draft', line(hook(bench.name('draft')), out), { publish: false }),
      bench.agent('tagged', [calculator()]),
    ]);
    await bench.refresh();
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose](), 60_000);

  const run = (name: string) => `run_${slugOf(bench.name(name))}`;
  const called = async (tool: string) => textOf((await callTool(bench.client, tool, {})) as Called);
  const named = (...names: string[]) => ({ workflows: names.map(bench.name) });

  test('the plan shows what each would become, and changes nothing', async () => {
    const { workflows, writes, applied } = await bench.own<Plan>('bridge_plan', named('report', 'hooked', 'agent'));
    const planned = (name: string) => workflows.find((one) => one.name === bench.name(name));
    expect(planned('report')).toMatchObject({ chosen: 'asked', run: run('report'), generate: true, expose: [] });
    expect(planned('hooked')).toMatchObject({ chosen: 'asked', run: run('hooked'), generate: false });
    expect(planned('agent')).toMatchObject({ expose: [`${bench.slug('agent')}__Calculator`], generate: true });
    expect(writes.join()).toContain('[sluice] runner');
    expect(applied).toBe(false);
    expect(await bench.listed('run_')).toEqual([]);
    expect(await bench.generated()).toEqual([]);
  });

  test('a workflow that is not chosen is shown with the tool it would be', async () => {
    const { workflows } = await bench.own<{ workflows: { name: string; could_run?: string }[] }>('bridge_status', {
      workflow: bench.name('hooked'),
    });
    expect(workflows[0]?.could_run).toBe(run('hooked'));
    expect(workflows[0]).not.toHaveProperty('chosen');
  });

  test('apply turns them into tools: the workflow itself, its AI tools, or both', async () => {
    const done = await bench.own<{ tools: string[]; broken: { tool: string; reason: string }[] }>(
      'bridge_apply',
      named('report', 'hooked', 'agent', 'draft'),
    );
    const calculators = ['agent', 'tagged'].map((name) => `${bench.slug(name)}__Calculator`);
    expect(done.tools.sort()).toEqual([run('report'), run('hooked'), ...calculators].sort());
    expect(done.broken).toEqual([
      { tool: expect.stringContaining(bench.name('draft')), reason: expect.stringContaining('not published') },
    ]);
    for (const name of ['report', 'hooked']) expect(await called(run(name))).toContain('"done":true');
    await bench.until(bench.slug('agent'), [`${bench.slug('agent')}__Calculator`]);
  }, 30_000);

  test('tagged workflows cannot be dropped, excluded and unknown ones cannot be chosen, and the error says why', async () => {
    await expect(bench.own('bridge_cleanup', named('tagged'))).rejects.toThrow(/by a tag\. Remove the tag/);
    await expect(bench.own('bridge_apply', named('reprot'))).rejects.toThrow(/Did you mean .*report/);
    await bench.gateway.reload({
      ...bench.config,
      bridge: { ...(bench.config.bridge as object), workflows: { exclude: [bench.name('hooked')] } },
    });
    await expect.poll(() => bench.listed(run('hooked'))).toEqual([]);
    await expect(bench.own('bridge_apply', named('hooked'))).rejects.toThrow(/configuration excludes /);
    await bench.gateway.reload(bench.config);
    await expect.poll(() => bench.listed(run('hooked'))).toEqual([run('hooked')]);
  }, 30_000);

  test('remove drops one of them, and deletes what was generated only for it', async () => {
    const { removed } = await bench.own<{ removed: { name: string }[] }>('bridge_cleanup', named('report'));
    expect(removed.map(({ name }) => name)).toEqual(['[sluice] runner']);
    expect(await bench.listed(run('report'))).toEqual([]);
    expect(await bench.listed(run('hooked'))).toEqual([run('hooked')]);
    expect(await bench.generated()).toHaveLength(2);
  }, 30_000);

  test('remove drops all of them, and they do not come back by themselves', async () => {
    await bench.own('bridge_cleanup');
    await bench.until(bench.slug('agent'), []);
    expect(await bench.listed('run_')).toEqual([]);
    await bench.refresh();
    expect(await bench.listed('run_')).toEqual([]);
    expect(await bench.generated()).toEqual([]);
  }, 30_000);
});
