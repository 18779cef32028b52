import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { executionTools } from '../../../src/n8n/executions/tools.ts';
import { runningTools } from '../../../src/n8n/running/tools.ts';
import { type FreshN8n, N8N_START_MS, n8nIsMissing, startFreshN8n } from '../../support/n8n.ts';
import { type Called, openRunBench, type RunBench, textOf } from '../../support/run-bench.ts';
import { openToolBench, tool, type ToolBench } from '../../support/tool-bench.ts';
import { chat, hook, line, make, node, picky } from '../../support/workflows.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

/** Longer than n8n needs to restart, but short enough that n8n waits in memory, so the run dies with n8n. */
const NAP_SECONDS = 64;
const WAIT = { wait_seconds: 240 };

interface Ran {
  readonly execution?: string;
  readonly status: string;
  readonly note?: string;
}

describe.skipIf(n8nIsMissing)('n8n killed in the middle of a run', () => {
  let n8n: FreshN8n;
  let bench: Workbench;
  /** Has no login, so a sub-workflow needs the runner. */
  let nobody: Workbench;
  let bridge: RunBench;
  let agents: ToolBench;
  /** A service that accepts the request of an AI tool and never answers. */
  const service = createServer();
  const outcomes = new Map<string, Promise<unknown>>();
  const ids = new Map<string, string>();
  /** The execution of each run that was in progress at the kill. */
  const running = new Map<string, string>();

  const nap = (name = 'Nap') => node(name, 'wait', 1.1, { amount: NAP_SECONDS, unit: 'seconds' });

  beforeAll(async () => {
    n8n = await startFreshN8n();
    bench = await openWorkbench([...runningTools, ...executionTools], n8n);
    nobody = await openWorkbench([...runningTools, ...executionTools], { url: n8n.url, apiKey: n8n.apiKey });
    bridge = await openRunBench({ reached: n8n, bridge: { timeout: '240s' } });
    agents = await openToolBench({ reached: n8n });
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
    await agents.agent('agent', [tool('order', 'n8n-nodes-base.httpRequestTool', 4.2, { method: 'POST', url })]);
    await agents.own('bridge_apply');
    const called = () => node('In', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
    const bodies = {
      webhook: line(hook(bench.name('webhook')), nap()),
      chat: line(chat(), nap()),
      draft: line(node('Go', 'manualTrigger', 1), nap()),
      test: line(node('Go', 'manualTrigger', 1), nap()),
      called: line(called(), nap()),
      byId: line(hook(bench.name('byId')), nap()),
      byPath: line(hook(bench.name('byPath')), nap()),
      twice: line(hook(bench.name('twice')), nap()),
      retry: line(hook(bench.name('retry')), picky('Nap')),
      waited: line(node('Go', 'manualTrigger', 1), nap()),
    };
    for (const [name, body] of Object.entries(bodies)) {
      const publish = !['draft', 'test', 'waited'].includes(name);
      ids.set(name, (await make(bench, name, body, { publish })).id);
    }
    for (const [name, body] of [
      ['hooked', line(hook(bridge.name('hooked')), nap())],
      ['bridged', line(called(), nap())],
    ] as const) {
      ids.set(name, (await bridge.workflow(name, body)).id);
    }
    const id = (name: string) => ids.get(name) as string;
    const failed = await bench.call<Ran>('n8n_execute_workflow', { id: id('retry'), data: { fail: 'once' } });
    const { name, nodes, connections } = await bench.client.workflows.get(id('retry'));
    const slow = nodes.map((one) => (one.name === 'Nap' ? { ...nap(), id: one.id } : one));
    await bench.client.workflows.update(id('retry'), { name, nodes: slow, connections, settings: {} }, false);
    const waited = await bench.call<Ran>('n8n_execute_workflow', { id: id('waited'), wait_seconds: 1 });

    const begin = (what: string, call: Promise<unknown>) =>
      outcomes.set(
        what,
        call.catch((error: unknown) => error),
      );
    for (const one of ['webhook', 'draft'])
      begin(one, bench.call('n8n_execute_workflow', { id: id(one), data: { a: 1 }, ...WAIT }));
    begin('chat', bench.call('n8n_execute_workflow', { id: id('chat'), data: 'hello', ...WAIT }));
    begin('test', bench.call('n8n_test_workflow', { id: id('test'), pin_data: { Go: [{ a: 1 }] }, ...WAIT }));
    begin('called', nobody.call('n8n_execute_workflow', { id: id('called'), data: {}, create_runner: true, ...WAIT }));
    begin('byId', bench.call('n8n_trigger_webhook', { id: id('byId'), body: {}, ...WAIT }));
    begin('byPath', bench.call('n8n_trigger_webhook', { path: bench.name('byPath'), body: {}, ...WAIT }));
    for (const one of ['one', 'another'])
      begin(one, bench.call('n8n_trigger_webhook', { id: id('twice'), body: { order: one }, ...WAIT }));
    begin('retry', bench.call('n8n_retry_execution', { id: failed.execution, ...WAIT }));
    begin('waited', bench.call('n8n_get_execution', { id: waited.execution, ...WAIT }));
    for (const one of ['hooked', 'bridged']) begin(one, bridge.call(one, {}, { timeout: 240_000, onprogress() {} }));

    const reached = new Promise((done) => service.once('request', done));
    begin('ai', agents.call('agent', 'order'));

    for (const [one, workflowId] of ids) {
      const runs = one === 'twice' ? ['one', 'another'] : [one];
      await vi.waitFor(
        async () => {
          const query = { workflowId, status: 'running', limit: 10, includeData: true } as const;
          const { items } = await bench.client.executions.page(query);
          if (items.length !== runs.length) throw new Error(`"${one}" has ${items.length} runs at work.`);
          for (const run of runs) {
            const own =
              runs.length > 1 ? items.find((item) => JSON.stringify(item.data).includes(`"${run}"`)) : items[0];
            running.set(run, own?.id as string);
          }
        },
        { timeout: 60_000, interval: 100 },
      );
    }
    await reached;
    await n8n.kill();
    await n8n.ready();
  }, N8N_START_MS + 120_000);

  afterAll(async () => {
    await agents?.[Symbol.asyncDispose]();
    service.closeAllConnections();
    service.close();
    await bridge?.[Symbol.asyncDispose]();
    await nobody?.[Symbol.asyncDispose]();
    await bench?.[Symbol.asyncDispose]();
    await n8n?.[Symbol.asyncDispose]();
  }, 60_000);

  test.each(['webhook', 'chat', 'draft', 'test', 'called', 'retry', 'waited'])(
    'a run by %s: the answer names the execution, and warns that it had started and a repeat may act twice',
    async (what) => {
      const outcome = await outcomes.get(what);
      expect(outcome).toMatchObject({
        status: 'crashed',
        [what === 'waited' ? 'id' : 'execution']: running.get(what),
        note: expect.stringMatching(/had started.*repeat.*may act twice/is) as string,
      });
    },
    60_000,
  );

  test.each(['byId', 'byPath', 'one', 'another'])(
    'a webhook call (%s): the error names the execution, and warns that it had started and a repeat may act twice',
    async (what) => {
      const outcome = await outcomes.get(what);
      expect(outcome).toBeInstanceOf(Error);
      expect((outcome as Error).message).toMatch(/had started.*repeat.*may act twice/is);
      expect((outcome as Error).message).toContain(`"${running.get(what)}"`);
    },
    60_000,
  );

  test.each(['hooked', 'bridged'])(
    'a workflow as a tool (%s): the error names the execution, and is not retryable',
    async (what) => {
      const outcome = (await outcomes.get(what)) as Called;
      expect(outcome.isError).toBe(true);
      expect(textOf(outcome)).toMatch(/had started.*repeat.*may act twice/is);
      expect(outcome._meta?.['sluice/error']).toMatchObject({ retryable: false, execution: running.get(what) });
    },
    60_000,
  );

  test('an AI tool: the error says that the run had started, and is not retryable', async () => {
    const outcome = (await outcomes.get('ai')) as Called;
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/had started.*repeat.*may act twice/is);
    expect(outcome._meta?.['sluice/error']).toMatchObject({ begun: true, retryable: false });
  }, 60_000);
});
