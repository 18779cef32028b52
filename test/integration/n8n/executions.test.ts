import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/kernel/source.ts';
import { executionTools } from '../../../src/n8n/executions/tools.ts';
import { runningTools } from '../../../src/n8n/running/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { hook, line, make, node, picky, set } from '../../support/workflows.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

interface Row {
  id: string;
  workflow: string;
  name?: string;
  status: string;
  mode?: string;
  ms?: number;
}

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('executions', () => {
  let bench: Workbench;
  /** A workflow that returns its input, or fails on request. */
  let id: string;
  let path: string;

  beforeAll(async () => {
    bench = await openWorkbench([...runningTools, ...executionTools]);
    path = bench.name('picky');
    ({ id } = await make(bench, 'picky', line(hook(path), picky())));
  }, N8N_START_MS);

  afterAll(() => bench[Symbol.asyncDispose]());

  const run = async (data: Json, workflow = id): Promise<string> =>
    (await bench.call<{ execution: string }>('n8n_execute_workflow', { id: workflow, data })).execution;

  const list = (args: Json) => bench.call<{ executions: Row[]; cursor?: string }>('n8n_list_executions', args);

  /** Starts a workflow that waits longer than any test. */
  const startLong = async (name: string, wait: Json = { amount: 2, unit: 'hours' }) => {
    const made = await make(
      bench,
      name,
      line(hook(bench.name(name), { responseMode: 'onReceived' }), node('Pause', 'wait', 1.1, wait)),
    );
    const { execution } = await bench.call<{ execution: string }>('n8n_execute_workflow', {
      id: made.id,
      data: {},
      wait_seconds: 5,
    });
    return { id: made.id, execution };
  };

  describe('listing', () => {
    test('shows the newest first with name, state and duration, page by page', async () => {
      const made: string[] = [];
      for (const n of [1, 2, 3]) made.unshift(await run({ n }));
      const first = await list({ workflow: id, limit: 2 });
      expect(first.executions.map((one) => one.id)).toEqual(made.slice(0, 2));
      expect(first.executions[0]).toMatchObject({
        name: bench.name('picky'),
        status: 'success',
        mode: 'webhook',
        ms: expect.any(Number) as number,
      });
      const second = await list({ workflow: id, limit: 2, cursor: first.cursor });
      expect(second.executions[0]?.id).toBe(made[2]);
    });

    test('includes running executions, which n8n lists only on request', async () => {
      const { id: slow, execution } = await startLong('runs', { amount: 20, unit: 'seconds' });
      for (const args of [{ workflow: slow }, { workflow: slow, status: 'running' }]) {
        expect((await list(args)).executions).toMatchObject([{ id: execution, status: 'running' }]);
      }
      await bench.call('n8n_stop_execution', { id: execution });
      expect((await list({ workflow: slow, status: 'canceled' })).executions).toMatchObject([{ id: execution }]);
      expect((await list({ workflow: slow, status: 'running' })).executions).toEqual([]);
    });

    test('filters by since and until', async () => {
      const execution = await run({ period: 1 });
      expect((await list({ workflow: id, since: '5m' })).executions.map((one) => one.id)).toContain(execution);
      expect((await list({ workflow: id, until: '1h' })).executions).toEqual([]);
      await expect(list({ since: 'yesterday-ish' })).rejects.toThrow('is not a time');
    });

    test('without a limit stays under 8 KB, and the cursor continues there', async () => {
      const seen = new Set<string>();
      let cursor: string | undefined;
      let pages = 0;
      do {
        const page = await list({ ...(cursor !== undefined && { cursor }) });
        expect(Buffer.byteLength(JSON.stringify(page)) * 2.2).toBeLessThan(8192);
        for (const one of page.executions) seen.add(one.id);
        ({ cursor } = page);
      } while (cursor !== undefined && ++pages < 3);
      expect(seen.size).toBeGreaterThan(3);
    });

    test('refuses the cursor of another list', async () => {
      for (const n of [1, 2]) await run({ n });
      const { cursor } = await list({ workflow: id, limit: 1 });
      await expect(list({ workflow: id, status: 'error', cursor: cursor })).rejects.toThrow('other filters');
      await expect(list({ cursor: 'eyJ' })).rejects.toThrow('does not belong');
    });
  });

  describe('one execution', () => {
    test('is summarised by its nodes, and one node by its data', async () => {
      const execution = await run({ colour: 'red' });
      const whole = await bench.call('n8n_get_execution', { id: execution });
      expect(whole).toMatchObject({ id: execution, status: 'success', workflow: { id, name: bench.name('picky') } });
      expect((whole.nodes as Json[]).map((one) => [one.node, one.items])).toEqual([
        ['Hook', 1],
        ['Check', 1],
      ]);
      const check = await bench.call<{ node: Json }>('n8n_get_execution', { id: execution, node: 'Check' });
      expect(check.node).toMatchObject({ side: 'output', total: 1, items: [{ passed: { colour: 'red' } }] });
      const input = await bench.call<{ node: { items: Json[] } }>('n8n_get_execution', {
        id: execution,
        node: 'Check',
        side: 'input',
      });
      expect(input.node.items[0]?.body).toEqual({ colour: 'red' });
    });

    test('that failed shows node, reason, line and input', async () => {
      const execution = await run({ fail: 'too late' });
      const { error } = await bench.call<{ error: Json }>('n8n_get_execution', { id: execution });
      expect(error).toMatchObject({
        node: 'Check',
        message: expect.stringContaining('refused: too late') as string,
        line: 2,
        from: 'Hook',
        input: { body: { fail: 'too late' } },
      });
      expect(JSON.stringify(error)).not.toContain('node_modules');
    });

    test('never shows secrets in the headers of a request', async () => {
      const secret = 'Bearer very-secret-value';
      await fetch(`${bench.url}/webhook/${path}`, {
        method: 'POST',
        headers: { authorization: secret, cookie: 'a=very-secret-cookie', 'content-type': 'application/json' },
        body: '{"fail":"x"}',
      });
      const [newest] = (await list({ workflow: id, limit: 1 })).executions;
      for (const args of [{}, { node: 'Hook' }, { node: 'Hook', max_kb: 100 }]) {
        const shown = JSON.stringify(await bench.call('n8n_get_execution', { id: newest?.id as string, ...args }));
        expect(shown).not.toContain('very-secret');
      }
    });

    test('with much data is shortened, and can be read in parts', async () => {
      const big = node('Big', 'code', 2, {
        jsCode: 'return Array.from({length: 300}, (_, i) => ({json: {i, text: "x".repeat(300)}}));',
      });
      const made = await make(bench, 'big', line(hook(bench.name('big'), { responseMode: 'onReceived' }), big));
      const execution = await run({}, made.id);
      const get = (args: Json) =>
        bench.call<{ node: { total: number; items: Json[]; cut?: boolean } }>('n8n_get_execution', {
          id: execution,
          node: 'Big',
          ...args,
        });
      const short = await get({});
      expect(short.node).toMatchObject({ total: 300, cut: true });
      expect(Buffer.byteLength(JSON.stringify(short)) * 2.2).toBeLessThan(8192);
      expect((await get({ offset: 298, limit: 2 })).node.items.map((one) => one.i)).toEqual([298, 299]);
      expect((await get({ max_kb: 200 })).node.items).toHaveLength(300);
    });

    test('that does not exist, or a node that does not, is reported with the nearest match', async () => {
      await expect(bench.call('n8n_get_execution', { id: '999999999' })).rejects.toThrow(
        'n8n_list_executions shows the ids',
      );
      await expect(bench.call('n8n_get_execution', { id: 'abc' })).rejects.toThrow('an execution id is a number');
      const execution = await run({});
      await expect(bench.call('n8n_get_execution', { id: execution, node: 'Chek' })).rejects.toThrow(
        'Did you mean Check?',
      );
      await expect(bench.call('n8n_get_execution', { id: execution, node: 'Check', run: 4 })).rejects.toThrow(
        'run must be 0 to 0',
      );
    });
  });

  test('waiting returns at once for an execution that sleeps longer than the wait', async () => {
    const { execution } = await startLong('asleep');
    const began = Date.now();
    const waited = await bench.call('n8n_get_execution', { id: execution, wait_seconds: 60 });
    expect(waited).toMatchObject({ status: 'waiting', note: expect.stringContaining('It waits until') as string });
    expect(Date.now() - began).toBeLessThan(30_000);
    await bench.call('n8n_stop_execution', { id: execution });
    expect(await bench.call('n8n_get_execution', { id: execution, wait_seconds: 60 })).toMatchObject({
      status: 'canceled',
      note: 'It was stopped.',
    });
  });

  describe('retrying', () => {
    test('continues with the repaired workflow, or fails again with the original', async () => {
      const body = line(hook(bench.name('repair')), node('Step', 'code', 2, { jsCode: 'throw new Error("broken");' }));
      const made = await make(bench, 'repair', body);
      const failed = await run({ order: 1 }, made.id);
      const step = {
        ...(made.nodes[1] as (typeof made.nodes)[number]),
        parameters: { jsCode: 'return [{ json: { repaired: $json.body.order } }];' },
      };
      await bench.client.workflows.update(
        made.id,
        { name: made.name, ...line(made.nodes[0] as typeof step, step), settings: {} },
        false,
      );
      const again = await bench.call('n8n_retry_execution', { id: failed, original: true });
      expect(again).toMatchObject({ retry_of: failed, status: 'error', error: { node: 'Step' } });
      const repaired = await bench.call('n8n_retry_execution', { id: failed });
      expect(repaired).toMatchObject({
        retry_of: failed,
        workflow: made.id,
        status: 'success',
        data: [{ repaired: 1 }],
      });
      expect(repaired.execution).not.toBe(failed);
    });

    test('names the node that was renamed or removed since', async () => {
      const body = line(hook(bench.name('renamed')), node('Old', 'code', 2, { jsCode: 'throw new Error("broken");' }));
      const made = await make(bench, 'renamed', body);
      const failed = await run({}, made.id);
      const [first, old] = made.nodes as [(typeof made.nodes)[number], (typeof made.nodes)[number]];
      const renamed = { name: made.name, ...line(first, { ...old, name: 'New' }), settings: {} };
      await bench.client.workflows.update(made.id, renamed, false);
      const retry = bench.call('n8n_retry_execution', { id: failed });
      await expect(retry).rejects.toThrow(/it ran "Old", renamed or removed since\. With "original"/);
    });

    test('a successful execution is refused', async () => {
      const execution = await run({});
      await expect(bench.call('n8n_retry_execution', { id: execution })).rejects.toThrow('nothing to retry');
      await expect(bench.call('n8n_retry_execution', { id: '999999999' })).rejects.toThrow('No execution 999999999');
    });

    test('longer than the wait says that it is still running', async () => {
      const code =
        'if ($json.body.wait) { if (!$execution.id) throw 1; await new Promise(r => setTimeout(r, 7000)); return [{ json: { done: true } }]; }';
      const made = await make(
        bench,
        'long-retry',
        line(hook(bench.name('long-retry')), node('Step', 'code', 2, { jsCode: 'throw new Error("first");' })),
      );
      const failed = await run({ wait: true }, made.id);
      const step = { ...(made.nodes[1] as (typeof made.nodes)[number]), parameters: { jsCode: code } };
      await bench.client.workflows.update(
        made.id,
        { name: made.name, ...line(made.nodes[0] as typeof step, step), settings: {} },
        false,
      );
      const retry = await bench.call('n8n_retry_execution', { id: failed, wait_seconds: 1 });
      expect(retry).toMatchObject({ status: 'running', note: expect.stringContaining('n8n_get_execution') as string });
      expect(await bench.call('n8n_get_execution', { id: retry.execution as string, wait_seconds: 60 })).toMatchObject({
        status: 'success',
        data: [{ done: true }],
      });
    });
  });

  test('stopping several says which could not be stopped', async () => {
    const { execution } = await startLong('stopping');
    const done = await run({});
    const outcome = await bench.call('n8n_stop_execution', { id: [execution, done, '999999999'] });
    expect(outcome).toMatchObject({
      stopped: [{ id: execution, status: 'canceled' }],
      not_stopped: [
        { id: done, why: expect.stringContaining('has already ended (success)') as string },
        { id: '999999999', why: expect.stringContaining('No execution 999999999') as string },
      ],
    });
    await expect(bench.call('n8n_stop_execution', { id: done })).rejects.toThrow(
      'Only one that runs or waits can be stopped',
    );
  });

  test('deleting removes the executions, and names those that did not exist', async () => {
    const execution = await run({});
    const outcome = await bench.call('n8n_delete_execution', { id: [execution, '999999999'] });
    expect(outcome).toMatchObject({ deleted: [execution], not_deleted: [{ id: '999999999' }] });
    await expect(bench.call('n8n_get_execution', { id: execution })).rejects.toThrow('No execution');
  });

  test('failures are grouped by workflow, node and cause, the most frequent first', async () => {
    const made = await make(
      bench,
      'grouped',
      line(
        hook(bench.name('grouped')),
        picky(),
        node('Fetch', 'httpRequest', 4.2, { url: 'http://127.0.0.1:9/', options: {} }),
      ),
    );
    for (const fail of ['order 17 missing', 'order 18 missing', 'order 204 missing']) await run({ fail }, made.id);
    const last = await run({}, made.id);
    const found = await bench.call<{ failed: number; groups: Json[] }>('n8n_list_failures', {
      workflow: made.id,
      since: '1h',
    });
    expect(found.failed).toBe(4);
    expect(found.groups).toMatchObject([
      {
        workflow: made.id,
        name: made.name,
        node: 'Check',
        count: 3,
        cause: expect.stringContaining('order 204 missing') as string,
      },
      { node: 'Fetch', type: 'n8n-nodes-base.httpRequest', count: 1, http_status: 'ECONNREFUSED', example: last },
    ]);
    const everything = await bench.call('n8n_list_failures', { since: '1h' });
    expect(Buffer.byteLength(JSON.stringify(everything)) * 2.2).toBeLessThan(8192);
    expect(await bench.call('n8n_list_failures', { workflow: made.id, until: '1h', since: '2h' })).toMatchObject({
      failed: 0,
      groups: [],
    });
    await expect(bench.call('n8n_list_failures', { since: '1h', until: '2h' })).rejects.toThrow('before until');
  });

  test('a workflow that outputs an empty item counts as a success', async () => {
    const made = await make(bench, 'empty', line(node('Go', 'manualTrigger', 1), set('End', '{}')), { publish: false });
    expect(await bench.call('n8n_execute_workflow', { id: made.id })).toMatchObject({
      status: 'success',
      items: 1,
      data: [{}],
    });
  });
});
