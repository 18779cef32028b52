import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { slugOf } from '../../../src/bridge/identity.ts';
import { withoutCatalogue } from '../../support/catalogue.ts';
import { type FreshN8n, N8N_START_MS, n8nIsMissing, startFreshN8n } from '../../support/n8n.ts';
import { callTool, connectV2, type Json, startGateway, type TestGateway } from '../harness.ts';
import { hook, line, make, node, set } from '../../support/workflows.ts';
import { openWorkbench, type Reached, reachN8n, type Workbench } from '../../support/workbench.ts';
import { agentWith, codeTool, type Called, textOf } from '../../support/tool-bench.ts';

/** One gateway for two n8n with the same workflow names. */
describe.skipIf(n8nIsMissing)('several n8n at once', () => {
  const stack = new AsyncDisposableStack();
  let office: Reached;
  let lab: FreshN8n;
  let benches: Record<'office' | 'lab', Workbench>;
  let home: string;
  let gateway: TestGateway;
  let client: Awaited<ReturnType<typeof connectV2>>;

  beforeAll(async () => {
    [office, lab] = await Promise.all([reachN8n(), startFreshN8n()]);
    stack.use(lab);
    benches = {
      office: stack.use(await openWorkbench([], office)),
      lab: await openWorkbench([], lab),
    };
    home = await mkdtemp(join(tmpdir(), 'sluice-two-'));
    stack.defer(() => rm(home, { recursive: true, force: true }));
    await Promise.all(
      (['office', 'lab'] as const).map(async (which) => {
        const bench = { ...benches[which], name };
        const out = set('Out', `({ at: '${which}' })`);
        const called = node('In', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
        await make(bench, 'agent', agentWith([codeTool('where', `return '${which}'`, {})]), { publish: false });
        await make(bench, 'hook', line(hook(name('hook')), out));
        await make(bench, 'sub', line(called, out));
      }),
    );
    await open();
  }, N8N_START_MS);
  afterAll(async () => {
    await cleanUp('office').catch(() => {});
    await client?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await stack.disposeAsync();
  }, 60_000);

  /** Name of a workflow in both n8n. */
  const name = (what: string) => benches.office.name(`twin ${what}`);
  const slug = (what: string) => slugOf(name(what));

  const config = () => {
    const settings = ({ url, apiKey, owner }: Reached) => ({ url, apiKey, ...(owner && { login: owner }) });
    return {
      n8n: { office: settings(office), lab: settings(lab) },
      nodes: withoutCatalogue,
      bridge: {
        apply: 'auto',
        poll: '1h',
        workflows: { tag: '', include: [name('*')], availableInMCP: false },
      },
    };
  };

  async function open(): Promise<void> {
    gateway = await startGateway(config(), { home });
    client = await connectV2(gateway);
    await vi.waitFor(async () => expect(await names()).toHaveLength(6), { timeout: 30_000, interval: 200 });
  }

  const names = async () =>
    ((await client.listTools()).tools as Json[])
      .map((tool) => String(tool.name))
      .filter((tool) => tool.includes(slug('').slice(0, 8)))
      .sort();

  /** By name: in which n8n each tool with this prefix runs. */
  async function places(): Promise<Record<string, string>> {
    const found = await Promise.all(
      (await names()).map(async (name) => [name, textOf((await callTool(client, name, {})) as Called)] as const),
    );
    return Object.fromEntries(found.map(([name, said]) => [name, /office|lab/.exec(said)?.[0] ?? said]));
  }

  async function cleanUp(instance: string): Promise<void> {
    const asked = (await callTool(client, 'bridge_cleanup', { instance })) as Called;
    const confirm = /"confirm": "([^"]+)"/.exec(textOf(asked))?.[1];
    await callTool(client, 'bridge_cleanup', { instance, confirm });
  }

  let first: Record<string, string>;

  test('tool names are unique, and a call reaches the right n8n', async () => {
    first = await places();
    expect(new Set(Object.keys(first).map((name) => name.toLowerCase().replaceAll('_', '-'))).size).toBe(6);
    const at = (which: string) => Object.keys(first).filter((name) => first[name] === which);
    expect(at('office')).toHaveLength(3);
    expect(at('lab')).toHaveLength(3);
    // Tools of the first n8n in the configuration have no suffix.
    expect(at('office')).toEqual(
      expect.arrayContaining([`run_${slug('hook')}`, `run_${slug('sub')}`, `${slug('agent')}__where`]),
    );
  });

  test('the names are the same after a restart', async () => {
    await client[Symbol.asyncDispose]();
    await gateway[Symbol.asyncDispose]();
    await open();
    expect(await places()).toEqual(first);
  }, 60_000);

  test('naming a workflow requires naming the n8n', async () => {
    const unclear = (await callTool(client, 'bridge_apply', { workflows: [name('hook')] })) as Called;
    expect(textOf(unclear)).toMatch(/Set "instance" .* office, lab/);
    const done = (await callTool(client, 'bridge_apply', { workflows: [name('hook')], instance: 'lab' })) as Called;
    expect(done.structuredContent).toMatchObject({ instances: [{ instance: 'lab' }], broken: [] });
    expect(await names()).toEqual(Object.keys(first).sort());
  });

  test('if one n8n goes down, all tools stay listed, and those of the other work', async () => {
    const called = (which: string) =>
      Promise.all(
        Object.keys(first)
          .filter((tool) => first[tool] === which)
          .map(async (tool) => (await callTool(client, tool, {})) as Called),
      );
    await lab.kill();
    const down = called('lab');
    for (const answer of await called('office')) expect(textOf(answer)).toContain('office');
    expect(await names()).toEqual(Object.keys(first).sort());
    const { structuredContent } = (await callTool(client, 'bridge_status', {})) as Called;
    expect(structuredContent?.instances).toMatchObject([
      { instance: 'office', listed: 3 },
      { instance: 'lab', problem: expect.any(String) },
    ]);
    // It restarts by itself. An early call fails with the reason, and never runs in the other n8n.
    for (const answer of await down) expect(textOf(answer)).toMatch(answer.isError ? /n8n|reach|connect/i : /lab/);
  }, 60_000);
});
