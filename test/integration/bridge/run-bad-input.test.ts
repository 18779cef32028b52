import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Workflow } from '../../../src/n8n/client/shapes.ts';
import { untilGone } from '../../../src/n8n/workflows/live.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import type { Json } from '../harness.ts';
import { hook, line, node, set } from '../../support/workflows.ts';
import { openRunBench, type RunBench, textOf } from '../../support/run-bench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

const anything = node('In', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
const code = (jsCode: string) => node('Out', 'code', 2, { jsCode });
const sleep = (seconds: number) => node('Sleep', 'wait', 1.1, { amount: seconds, unit: 'seconds' });

describe.skipIf(missing)('workflows as tools that go wrong', () => {
  let bench: RunBench;

  beforeAll(async () => {
    // No poll: it could unlist a tool before the test has called it.
    bench = await openRunBench({ bridge: { timeouts: { 'run_*slow*': '4s' }, poll: '1h' } });
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose]());

  async function statusOf({ id }: Workflow): Promise<string | undefined> {
    const client = bench.n8n.client.executions;
    const [ended, running] = await Promise.all([
      client.page({ workflowId: id, limit: 1 }),
      client.page({ workflowId: id, limit: 1, status: 'running' }),
    ]);
    return (running.items[0] ?? ended.items[0])?.status;
  }

  async function until(work: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + 10_000; !(await work()); await delay(100))
      if (Date.now() > end) throw new Error('The condition was not met within 10 s.');
  }

  test('a workflow that never answers sends progress, times out and is stopped', async () => {
    const sub = await bench.workflow('slow sub', line(anything, sleep(60)));
    const hooked = await bench.workflow('slow hook', line(hook(bench.name('slow')), sleep(60)));
    const told: Json[] = [];
    const [one, other] = await Promise.all([
      bench.call('slow sub', {}, { onprogress: (progress) => told.push(progress as Json) }),
      bench.call('slow hook', {}),
    ]);
    for (const result of [one, other]) {
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/did not end within 4 s\. Its execution \d+ was stopped\./);
      expect(result._meta).toMatchObject({ 'sluice/error': { code: 'timeout', retryable: true } });
    }
    expect(told[0]).toMatchObject({ total: 4, message: expect.stringMatching(/is running, \d s so far/) });
    expect(await statusOf(sub)).toBe('canceled');
    expect(await statusOf(hooked)).toBe('canceled');
  }, 30_000);

  test('cancelling a call stops the execution', async () => {
    const workflow = await bench.workflow('long', line(hook(bench.name('long')), sleep(60)));
    const cancel = new AbortController();
    const calling = bench.call('long', {}, { signal: cancel.signal }).catch((error: unknown) => error);
    await until(async () => (await statusOf(workflow)) === 'running');
    cancel.abort();
    expect(await calling).toBeInstanceOf(Error);
    await until(async () => (await statusOf(workflow)) === 'canceled');
  }, 30_000);

  test('10 MB arrive complete', async () => {
    await bench.workflow(
      'large',
      line(hook(bench.name('large')), code('return [{ json: { text: "x".repeat(10 * 1024 * 1024) } }]')),
    );
    const result = await bench.call('large', {}, { timeout: 30_000 });
    expect(textOf(result).length).toBeGreaterThan(10 * 1024 * 1024);
    expect(result.structuredContent).toBeUndefined();
  }, 40_000);

  test('names in other scripts become legal, distinct and stable names', async () => {
    const first = await bench.workflow('天气 🌤', line(anything, set('Out', '({ which: 1 })')), { listed: false });
    const second = await bench.workflow('天气 🌦', line(anything, set('Out', '({ which: 2 })')), { listed: false });
    const mine = async () => {
      const found = (await bench.tools()).filter(({ title }) => [first.name, second.name].includes(title as string));
      return new Map(found.map(({ title, name }) => [title, name as string]));
    };
    await bench.refresh();
    const names = await mine();
    expect(new Set(names.values()).size).toBe(2);
    for (const name of names.values()) expect(name).toMatch(/^run_[a-z0-9][a-z0-9_-]*[a-z0-9]$/);
    const { nodes, connections } = first;
    await bench.n8n.client.workflows.update(
      first.id,
      { name: bench.name('weather'), nodes, connections, settings: { executionOrder: 'v1' } },
      true,
    );
    await bench.refresh();
    expect((await bench.tools()).find(({ title }) => title === bench.name('weather'))?.name).toBe(
      names.get(first.name),
    );
  }, 30_000);

  test('a workflow that was unpublished or deleted meanwhile fails with that reason, and is no longer listed', async () => {
    const gone = await bench.workflow('gone', line(hook(bench.name('gone')), set('Out', '({})')));
    const off = await bench.workflow('off', line(anything, set('Out', '({})')));
    await bench.n8n.client.workflows.delete(gone.id);
    await bench.n8n.client.workflows.unpublish(off.id);
    // n8n answers before it takes the published version away, and runs the workflow until then.
    await untilGone(bench.n8n.client, off, AbortSignal.timeout(20_000));
    const [one, other] = await Promise.all([bench.call('gone'), bench.call('off')]);
    expect(textOf(one)).toMatch(/was not run: ".*gone" \(\w+\) is no longer in n8n/);
    expect(textOf(other)).toMatch(/was not run: ".*off" \(\w+\) is not published/);
    await bench.listed(bench.tool('gone'), false);
    await bench.listed(bench.tool('off'), false);
  }, 30_000);
});
