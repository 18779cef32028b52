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

/** n8n serves other tests at the same time. */
const PATIENCE = { timeout: 30_000, interval: 20 };

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

  /** A client that counts the notifications. */
  async function listening(gateway: TestGateway) {
    let notices = 0;
    const client = await connectV2(gateway);
    client.setNotificationHandler('notifications/tools/list_changed', () => void notices++);
    /** Changes something; then a notification comes, and the tool is (or is not) listed. */
    async function noticed(change: () => Promise<unknown>, name: string, wanted: boolean): Promise<void> {
      const before = notices;
      await change();
      await vi.waitFor(async () => {
        expect(notices).toBeGreaterThan(before);
        expect((await names(client)).includes(name)).toBe(wanted);
      }, PATIENCE);
    }
    return { client, noticed, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
  }

  describe('with hooks', () => {
    let gateway: TestGateway;
    beforeAll(async () => {
      gateway = await startGateway(config({ discovery: 'hook', poll: '1h' }), { env: sharedCache });
      const secret = await hookSecret(gateway.runtime.store.settings, 'default');
      await writeFile(n8n.hookTarget, JSON.stringify({ url: hookUrl(gateway.url, 'default'), secret }));
    });
    afterAll(async () => {
      await rm(n8n.hookTarget, { force: true });
      await gateway?.[Symbol.asyncDispose]();
    });

    // With one poll an hour, each of these was reported by a hook.
    test('a workflow becomes a tool when it is published, and disappears when it is unpublished or deleted', async () => {
      await using listener = await listening(gateway);
      const { workflows } = bench.client;
      const name = tool('soon');
      const made = await make(bench, 'soon', body('soon', '({ said: $json.body.word })'), { publish: false });
      await listener.noticed(() => workflows.publish(made.id), name, true);
      const answer = (await callTool(listener.client, name, { word: 'hello' })) as Json;
      expect(answer).toMatchObject({ structuredContent: { said: 'hello' } });
      await listener.noticed(() => workflows.archive(made.id), name, false);
      await workflows.unarchive(made.id);
      await listener.noticed(() => workflows.publish(made.id), name, true);
      await listener.noticed(() => workflows.delete(made.id), name, false);
    }, 120_000);

    test('a rename keeps the tool, and changes its title', async () => {
      await using listener = await listening(gateway);
      const { workflows } = bench.client;
      const name = tool('before');
      const made = await make(bench, 'before', body('before', '({ ok: true })'));
      await vi.waitFor(async () => expect(await names(listener.client)).toContain(name), PATIENCE);
      const { nodes, connections } = made;
      await workflows.update(made.id, { name: bench.name('after'), nodes, connections, settings: {} }, true);
      await vi.waitFor(async () => {
        const found = (await listener.client.listTools()).tools.find((one) => one.name === name);
        expect(`${found?.title} ${found?.description}`).toContain(bench.name('after'));
      }, PATIENCE);
      expect(await names(listener.client)).not.toContain(tool('after'));
      await workflows.delete(made.id);
    }, 120_000);

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
    await listener.noticed(() => bench.client.workflows.publish(made.id), tool('polled'), true);
    await listener.noticed(() => bench.client.workflows.unpublish(made.id), tool('polled'), false);
    expect(await names(listener.client)).not.toContain(tool('polled'));
    await bench.client.workflows.delete(made.id);
  }, 120_000);

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
    await listener.noticed(() => call('n8n_publish_workflow', { id: made.id }), tool('tooled'), true);
    await listener.noticed(() => call('n8n_unpublish_workflow', { id: made.id }), tool('tooled'), false);
    expect(lists()).toBe(before);
    await bench.client.workflows.delete(made.id);
  }, 120_000);

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
    await vi.waitFor(() => expect(read()).toBe('ready'), PATIENCE);
    await gateway.runtime.apis.bridge.configure();
    await using listener = await listening(gateway);
    const made = await make(bench, 'shared', body('shared', '({ ok: true })'));
    const { id, name, versionId, activeVersionId } = await bench.client.workflows.get(made.id);
    await listener.noticed(() => share({ id, name, versionId, activeVersionId }), tool('shared'), true);
    await bench.client.workflows.delete(made.id);
    await listener.noticed(() => share(), tool('shared'), false);
    await rm(file);
  }, 120_000);
});
