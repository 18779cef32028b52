import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { hook, line, node, set } from '../../support/workflows.ts';
import { openRunBench, type RunBench, textOf } from '../../support/run-bench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('workflows that are deleted while they run as tools', () => {
  let bench: RunBench;

  beforeAll(async () => {
    bench = await openRunBench({ bridge: { timeout: '10s' } });
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose]());

  const nap = node('Nap', 'wait', 1.1, { amount: 2, unit: 'seconds' });
  const anything = node('In', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
  const out = set('Out', '({ done: true })');

  async function called(name: string, body: Parameters<RunBench['workflow']>[1]) {
    const { id } = await bench.workflow(name, body);
    const { executions, workflows } = bench.n8n.client;
    const calling = bench.call(name);
    await vi.waitFor(
      async () =>
        expect((await executions.page({ workflowId: id, status: 'running', limit: 1 })).items).toHaveLength(1),
      { timeout: 10_000, interval: 50 },
    );
    await workflows.delete(id);
    return calling;
  }

  async function isGone(name: string): Promise<void> {
    await bench.refresh();
    await bench.listed(bench.tool(name), false);
    await expect(bench.call(name)).rejects.toThrow('Unknown tool');
  }

  test.each([
    ['a webhook', 'hooked', () => line(hook(bench.name('hooked')), nap, out)],
    ['the runner', 'called', () => line(anything, nap, out)],
  ])(
    'while %s runs them: n8n lets them finish, and the tool disappears',
    async (_, name, body) => {
      expect((await called(name, body())).structuredContent).toEqual({ done: true });
      await isGone(name);
    },
    40_000,
  );

  test('while the call waits for their end: the error says so, and what to do', async () => {
    const early = hook(bench.name('early'), { responseMode: 'onReceived' });
    const result = await called('early', line(early, nap, out));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      /was started \(execution \d+\), but .* was deleted before it ended.*n8n_list_workflows/,
    );
    expect(result._meta).toMatchObject({ 'sluice/error': { code: 'not_found', execution: expect.any(String) } });
    await isGone('early');
  }, 40_000);
});
