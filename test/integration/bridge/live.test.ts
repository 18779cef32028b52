import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hookSecret, hookUrl } from '../../../src/bridge/hook-places.ts';
import { slugOf } from '../../../src/bridge/identity.ts';
import type { Workflow } from '../../../src/n8n/client/shapes.ts';
import { sharedCache } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing, startN8n, type TestN8n } from '../../support/n8n.ts';
import { callTool, connectV2, type Json, startGateway, type TestGateway } from '../harness.ts';
import { hook, line, make, set } from '../../support/workflows.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';
import { openWay } from './way-to-n8n.ts';

/** Sluice promises one second with hooks, but here n8n serves other tests at the same time. */
const HOOK_MS = 5000;

type Client = Awaited<ReturnType<typeof connectV2>>;

describe.skipIf(n8nIsMissing)('changes in n8n', () => {
  let n8n: TestN8n;
  let bench: Workbench;
  beforeAll(async () => {
    n8n = await startN8n();
    bench = await openWorkbench([], n8n);
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose]());

  const config = (bridge: Json, url = n8n.url) => ({
    n8n: { default: { url, apiKey: n8n.apiKey, login: n8n.owner } },
    bridge: { workflows: { tag: '', include: [`${bench.name('')}*`], availableInMCP: false }, ...bridge },
  });
  const body = (path: string, expression: string) => line(hook(bench.name(path)), set('Out', expression));
  const tool = (name: string) => `run_${slugOf(bench.name(name))}`;

  async function names(client: Client): Promise<string[]> {
    return (await client.listTools()).tools.map(({ name }) => name);
  }

  /** A client that records the time of each notification. */
  async function listening(gateway: TestGateway) {
    const notices: number[] = [];
    const client = await connectV2(gateway);
    client.setNotificationHandler('notifications/tools/list_changed', () => void notices.push(Date.now()));
    return { client, notices, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
  }

  /** Time from `began` to the notification after which the tool is (or is not) listed. */
  async function noticed(
    { client, notices }: Awaited<ReturnType<typeof listening>>,
    began: number,
    name: string,
    wanted: boolean,
  ): Promise<number> {
    await vi.waitFor(
      async () => {
        expect(notices.some((at) => at >= began)).toBe(true);
        expect((await names(client)).includes(name)).toBe(wanted);
      },
      { timeout: 10_000, interval: 20 },
    );
    return (notices.find((at) => at >= began) as number) - began;
  }

  describe('with hooks', () => {
    let gateway: TestGateway;
    beforeAll(async () => {
      // With one poll an hour, only a hook can have reported it.
      gateway = await startGateway(config({ discovery: 'hook', poll: '1h' }), { env: sharedCache });
      const secret = await hookSecret(gateway.runtime.store.settings, 'default');
      await writeFile(n8n.hookTarget, JSON.stringify({ url: hookUrl(gateway.url, 'default'), secret }));
    });
    afterAll(async () => {
      await rm(n8n.hookTarget, { force: true });
      await gateway?.[Symbol.asyncDispose]();
    });

    test('a workflow becomes a tool soon after it is published, and disappears soon after it is unpublished or deleted', async () => {
      await using listener = await listening(gateway);
      const { workflows } = bench.client;
      const name = tool('soon');
      const made = await make(bench, 'soon', body('soon', '({ said: $json.body.word })'), { publish: false });
      const times: Record<string, number> = {};

      let began = Date.now();
      await workflows.publish(made.id);
      times.published = await noticed(listener, began, name, true);
      const answer = (await callTool(listener.client, name, { word: 'hello' })) as Json;
      expect(answer).toMatchObject({ structuredContent: { said: 'hello' } });

      began = Date.now();
      await workflows.archive(made.id);
      times.archived = await noticed(listener, began, name, false);
      await workflows.unarchive(made.id);

      began = Date.now();
      await workflows.publish(made.id);
      times.again = await noticed(listener, began, name, true);

      began = Date.now();
      await workflows.delete(made.id);
      times.deleted = await noticed(listener, began, name, false);
      console.log(`list_changed after a hook, in ms: ${JSON.stringify(times)}`);
      for (const [what, ms] of Object.entries(times)) expect(ms, what).toBeLessThan(HOOK_MS);
    }, 60_000);

    test('a rename keeps the tool, and changes its title', async () => {
      await using listener = await listening(gateway);
      const { workflows } = bench.client;
      const name = tool('before');
      const made = await make(bench, 'before', body('before', '({ ok: true })'));
      await vi.waitFor(async () => expect(await names(listener.client)).toContain(name), { timeout: 10_000 });
      const { nodes, connections } = made;
      await workflows.update(made.id, { name: bench.name('after'), nodes, connections, settings: {} }, true);
      await vi.waitFor(
        async () => {
          const found = (await listener.client.listTools()).tools.find((one) => one.name === name);
          expect(`${found?.title} ${found?.description}`).toContain(bench.name('after'));
        },
        { timeout: 10_000 },
      );
      expect(await names(listener.client)).not.toContain(tool('after'));
      await workflows.delete(made.id);
    }, 30_000);

    test('a hook with a wrong signature changes nothing, and is recorded', async () => {
      const answer = await fetch(hookUrl(gateway.url, 'default'), {
        method: 'POST',
        headers: { 'x-sluice-timestamp': String(Math.floor(Date.now() / 1000)), 'x-sluice-signature': 'sha256=00' },
        body: '{"event":"workflow.afterUpdate","workflow":"x"}',
      });
      expect(answer.status).toBe(401);
      const { events } = await gateway.stored({ type: 'bridge.hook_refused' });
      expect(events).toHaveLength(1);
    });
  });

  test('without hooks they are noticed at the next poll', async () => {
    await using gateway = await startGateway(config({ poll: '500ms' }), { env: sharedCache });
    await using listener = await listening(gateway);
    const made = await make(bench, 'polled', body('polled', '({ ok: true })'), { publish: false });
    const began = Date.now();
    await bench.client.workflows.publish(made.id);
    const published = await noticed(listener, began, tool('polled'), true);
    const then = Date.now();
    await bench.client.workflows.unpublish(made.id);
    const unpublished = await noticed(listener, then, tool('polled'), false);
    console.log(`list_changed by polling twice a second, in ms: ${JSON.stringify({ published, unpublished })}`);
    expect(Math.max(published, unpublished)).toBeLessThan(500 + HOOK_MS);
    await bench.client.workflows.delete(made.id);
  }, 30_000);

  test('changes by our own tools are noticed when the call ends, without listing every workflow', async () => {
    await using way = await openWay(n8n.url);
    await using gateway = await startGateway(config({ poll: '1h' }, way.url), { env: sharedCache });
    await using listener = await listening(gateway);
    const lists = () =>
      way.asked.filter(({ path }) => path.startsWith('/api/v1/workflows?limit=250&excludePinnedData')).length;
    const made = await make(bench, 'tooled', body('tooled', '({ ok: true })'), { publish: false });
    const call = (name: string, params: Json) => callTool(listener.client, 'n8n_call', { tool: name, params });
    await vi.waitFor(() => expect(lists()).toBeGreaterThan(0));
    const before = lists();
    const began = Date.now();
    await call('n8n_publish_workflow', { id: made.id });
    expect(await noticed(listener, began, tool('tooled'), true)).toBeGreaterThanOrEqual(0);
    const then = Date.now();
    await call('n8n_unpublish_workflow', { id: made.id });
    expect(await noticed(listener, then, tool('tooled'), false)).toBeGreaterThanOrEqual(0);
    expect(lists()).toBe(before);
    await bench.client.workflows.delete(made.id);
  }, 30_000);

  test('are also reported by the shared file', async () => {
    const file = join(tmpdir(), `${bench.name('tools')}.json`);
    const share = (...all: Pick<Workflow, 'id' | 'name' | 'versionId' | 'activeVersionId'>[]) =>
      writeFile(file, JSON.stringify({ version: 1, workflows: all }));
    await share();
    await using gateway = await startGateway(config({ discovery: 'file', poll: '1h' }), {
      env: { ...sharedCache, TOOLS_SHARED_PATH: file },
    });
    // The first read of the file leads to a look at all of n8n, which must not be the one that finds the workflow.
    const read = () => gateway.runtime.health().find(({ name }) => name === 'shared tools file')?.state;
    await vi.waitFor(() => expect(read()).toBe('ready'), { timeout: 10_000 });
    await gateway.runtime.apis.bridge.configure();
    await using listener = await listening(gateway);
    const made = await make(bench, 'shared', body('shared', '({ ok: true })'));
    const { id, name, versionId, activeVersionId } = await bench.client.workflows.get(made.id);
    const began = Date.now();
    await share({ id, name, versionId, activeVersionId });
    await noticed(listener, began, tool('shared'), true);
    await bench.client.workflows.delete(made.id);
    await share();
    expect(await noticed(listener, Date.now(), tool('shared'), false)).toBeGreaterThanOrEqual(0);
    await rm(file);
  }, 30_000);
});
