import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/kernel/source.ts';
import { executionTools } from '../../../src/n8n/executions/tools.ts';
import { runningTools } from '../../../src/n8n/running/tools.ts';
import { workflowTools } from '../../../src/n8n/workflows/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { hook, line, make, node, set } from '../../support/workflows.ts';
import { openWorkbench, type Reached, reachN8n, type Workbench } from '../../support/workbench.ts';

interface Ran {
  status: string;
  data?: unknown[];
  answer?: { body?: unknown };
}

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('trying workflows', () => {
  let reached: Reached;
  let bench: Workbench;
  let nobody: Workbench;

  beforeAll(async () => {
    reached = await reachN8n();
    bench = await openWorkbench([...runningTools, ...executionTools, ...workflowTools], reached);
    nobody = await openWorkbench([...runningTools, ...executionTools], { url: reached.url, apiKey: reached.apiKey });
  }, N8N_START_MS);

  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
    await nobody[Symbol.asyncDispose]();
  });

  describe('a test', () => {
    test('uses pinned data instead of running a node, and leaves the workflow unchanged', async () => {
      const fetches = node('Fetch', 'httpRequest', 4.2, { url: 'http://127.0.0.1:9/none', options: {} });
      const { id } = await make(
        bench,
        'pinned',
        line(hook(bench.name('pinned')), fetches, set('End', '{ got: $json, asked: $("Hook").item.json.body }')),
      );
      const before = await bench.client.workflows.get(id);
      const tested = await bench.call<Ran & { pinned: string[]; nodes: Json[] }>('n8n_test_workflow', {
        id,
        data: { order: 7 },
        pin_data: { Fetch: [{ price: 9 }] },
      });
      expect(tested).toMatchObject({
        status: 'success',
        pinned: ['Fetch'],
        data: [{ got: { price: 9 }, asked: { order: 7 } }],
      });
      expect(tested.nodes.map((one) => one.node)).toEqual(['Hook', 'Fetch', 'End']);
      const after = await bench.client.workflows.get(id);
      expect([after.versionId, after.activeVersionId, after.nodes, after.pinData ?? {}]).toEqual([
        before.versionId,
        before.activeVersionId,
        before.nodes,
        {},
      ]);

      const real = await bench.call<Ran>('n8n_test_workflow', { id, data: {} });
      expect(real).toMatchObject({ status: 'error', error: { node: 'Fetch' } });
    });

    describe('with items', () => {
      const file = { mimeType: 'text/plain', fileName: 'a.txt', fileExtension: 'txt', data: 'aGk=' };
      const wrapped = { json: { price: 9 }, binary: { file }, pairedItem: { item: 0 } };
      const same: [string, unknown][] = [
        ['as plain data', [{ price: 9 }]],
        ['in the format of n8n', [{ json: { price: 9 } }]],
        ['as one item instead of a list', { price: 9 }],
        ['as one item in the format of n8n', { json: { price: 9 } }],
      ];
      const shop = () => {
        const seen = '{ price: $json.price, own: $json.json, files: Object.keys($binary) }';
        return line(node('Go', 'manualTrigger', 1), set('Fetch', '{ real: true }'), set('End', seen));
      };
      const arrived = async (id: string, args: Json = {}) =>
        (await bench.call<Ran>('n8n_test_workflow', { id, ...args })).data;
      const stored = async (id: string) => (await bench.client.workflows.get(id)).pinData;

      test.each(same)('%s, every tool passes on and stores the same', async (_, items) => {
        const expected = [{ price: 9, files: [] }];
        const { id } = await make(bench, 'items', shop(), { publish: false });
        expect(await arrived(id, { pin_data: { Fetch: items } })).toEqual(expected);
        await bench.call('n8n_edit_workflow', { id, operations: [{ op: 'pin_data', node: 'Fetch', items }] });
        expect(await stored(id)).toEqual({ Fetch: [{ json: { price: 9 } }] });
        expect(await arrived(id)).toEqual(expected);

        const made = await bench.call<{ workflow: { id: string } }>('n8n_create_workflow', {
          name: bench.name('items-made'),
          ...shop(),
          pin_data: { Fetch: items },
        });
        expect(await stored(made.workflow.id)).toEqual({ Fetch: [{ json: { price: 9 } }] });
        expect(await arrived(made.workflow.id)).toEqual(expected);

        const passing = line(node('Go', 'manualTrigger', 1), set('End', '{ price: $json.price }'));
        const begun = await make(bench, 'items-begun', passing, { publish: false });
        const ran = await bench.call<Ran>('n8n_execute_workflow', { id: begun.id, data: items });
        expect(ran.data).toEqual([{ price: 9 }]);
        expect(await arrived(begun.id, { data: items })).toEqual([{ price: 9 }]);
      });

      test('files and paired items stay with the data', async () => {
        const { id } = await make(bench, 'items-file', shop(), { publish: false });
        expect(await arrived(id, { pin_data: { Fetch: wrapped } })).toEqual([{ price: 9, files: ['file'] }]);
        await bench.call('n8n_edit_workflow', {
          id,
          operations: [{ op: 'pin_data', node: 'Fetch', items: [wrapped] }],
        });
        expect(await stored(id)).toEqual({ Fetch: [wrapped] });
      });

      test('data with a key "json" next to other keys is plain data', async () => {
        const { id } = await make(bench, 'items-json', shop(), { publish: false });
        const own = { json: { a: 1 }, price: 9 };
        expect(await arrived(id, { pin_data: { Fetch: [own] } })).toEqual([{ price: 9, own: { a: 1 }, files: [] }]);
        expect(await arrived(id, { pin_data: { Fetch: [{ json: own }] } })).toEqual([
          { price: 9, own: { a: 1 }, files: [] },
        ]);
      });
    });

    test('stops after the given node', async () => {
      const { id } = await make(
        bench,
        'up-to',
        line(node('Go', 'manualTrigger', 1), set('A', '{ a: 1 }'), set('B', '{ b: 1 }')),
        { publish: false },
      );
      const tested = await bench.call<Ran & { nodes: Json[] }>('n8n_test_workflow', { id, up_to: 'A' });
      expect(tested.nodes.map((one) => one.node)).toEqual(['Go', 'A']);
    });

    test('names a node that does not exist, before anything runs', async () => {
      const { id } = await make(bench, 'pin-typo', line(node('Go', 'manualTrigger', 1), set('Answer', '{}')), {
        publish: false,
      });
      await expect(bench.call('n8n_test_workflow', { id, pin_data: { Anwser: [] } })).rejects.toThrow(
        'Did you mean Answer?',
      );
    });

    test('needs a login, and says so', async () => {
      const { id } = await make(bench, 'no-login', line(node('Go', 'manualTrigger', 1)), { publish: false });
      await expect(nobody.call('n8n_test_workflow', { id })).rejects.toThrow('needs a login');
    });
  });

  describe('calling a webhook', () => {
    test('sends method, query, headers and body, and shows the answer', async () => {
      const path = bench.name('echo');
      const body = line(
        hook(path, { httpMethod: 'PUT' }),
        set('End', '{ q: $json.query, h: $json.headers["x-mine"], b: $json.body }'),
      );
      const { id } = await make(bench, 'echo', body);
      const args = { query: { a: '1' }, headers: { 'x-mine': 'yes' }, body: { z: 1 } };
      const expected = { status: 200, method: 'PUT', body: { q: { a: '1' }, h: 'yes', b: { z: 1 } } };
      expect(await bench.call('n8n_trigger_webhook', { id, ...args })).toMatchObject({ ...expected, workflow: { id } });
      expect(await bench.call('n8n_trigger_webhook', { path, method: 'PUT', ...args })).toMatchObject(expected);
    });

    test('needs the path parameters filled in', async () => {
      const path = `${bench.name('p')}/:order/lines`;
      const { id } = await make(bench, 'params', line(hook(path, { httpMethod: 'GET' }), set('End', '$json.params')));
      await expect(bench.call('n8n_trigger_webhook', { id })).rejects.toThrow('Give "path" with them filled in');
      const { nodes } = await bench.client.workflows.get(id);
      const filled = `${nodes[0]?.webhookId}/${path.replace(':order', '42')}`;
      expect(await bench.call('n8n_trigger_webhook', { id, path: filled })).toMatchObject({
        status: 200,
        body: { order: '42' },
      });
    });

    test('with test: true runs the draft once, at the test address', async () => {
      const path = bench.name('testing');
      const { id } = await make(bench, 'testing', line(hook(path), set('End', '{ test: $json.executionMode }')), {
        publish: false,
      });
      const args = { body: { a: 1 }, test: true };
      expect(await bench.call('n8n_trigger_webhook', { id, ...args })).toMatchObject({
        status: 200,
        body: { test: 'test' },
      });
      expect(await bench.call('n8n_trigger_webhook', { path, ...args })).toMatchObject({
        status: 200,
        workflow: { id },
      });
      await expect(nobody.call('n8n_trigger_webhook', { path, ...args })).rejects.toThrow('Listen for test event');
    });

    test('that is not registered fails with a remedy, and a path with ".." is refused', async () => {
      await expect(bench.call('n8n_trigger_webhook', { path: bench.name('nobody') })).rejects.toThrow(
        'n8n_publish_workflow publishes it',
      );
      await expect(bench.call('n8n_trigger_webhook', { path: '../api/v1/workflows', method: 'GET' })).rejects.toThrow(
        'no "." or ".."',
      );
      await expect(bench.call('n8n_trigger_webhook', { path: 'a/%2e%2e/%2e%2e/rest/login' })).rejects.toThrow(
        'no "." or ".."',
      );
      await expect(bench.call('n8n_trigger_webhook', { path: 'a', headers: { Host: 'x' } })).rejects.toThrow('Host');
      await expect(bench.call('n8n_trigger_webhook', {})).rejects.toThrow('Say which webhook');
    });

    test('describes a binary answer', async () => {
      const png = createServer((_, response) =>
        response.setHeader('content-type', 'image/png').end(Buffer.from('89504e470d0a1a0a00ff', 'hex')),
      );
      await new Promise<void>((resolve) => png.listen(0, '127.0.0.1', resolve));
      const { port } = png.address() as { port: number };
      const get = node('Get', 'httpRequest', 4.2, {
        url: `http://127.0.0.1:${port}/`,
        options: { response: { response: { responseFormat: 'file' } } },
      });
      const respond = node('Respond', 'respondToWebhook', 1.1, { respondWith: 'binary', options: {} });
      const { id } = await make(
        bench,
        'binary',
        line(hook(bench.name('binary'), { responseMode: 'responseNode' }), get, respond),
      );
      const answer = await bench.call<NonNullable<Ran['answer']>>('n8n_trigger_webhook', { id });
      png.close();
      expect(answer).toMatchObject({
        status: 200,
        content_type: 'image/png',
        bytes: 10,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      });
      expect(answer.body).toBeUndefined();
    });
  });
});
