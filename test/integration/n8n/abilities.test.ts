import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionTools } from '../../../src/n8n/executions/tools.ts';
import { runningTools } from '../../../src/n8n/running/tools.ts';
import { findTools } from '../../../src/n8n/find/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { hook, line, make, picky } from '../../support/workflows.ts';
import { limitedKey } from '../../support/limited-key.ts';
import { openWorkbench, type Reached, reachN8n, type Workbench } from '../../support/workbench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('what a key may do', () => {
  let reached: Reached;
  let bench: Workbench;

  beforeAll(async () => {
    reached = await reachN8n();
    bench = await openWorkbench([...runningTools, ...executionTools, ...findTools], reached);
  }, N8N_START_MS);

  afterAll(() => bench[Symbol.asyncDispose]());

  test('is read from n8n itself', async () => {
    const abilities = await bench.client.abilities.read();
    expect(abilities?.scopes).toContain('execution:retry');
    expect(abilities?.allowed).toContain('POST /api/v1/executions/{}/retry');
    expect(abilities?.allowed).toContain('GET /api/v1/workflows/{}/versions/{}');
  });

  test.each([
    ['n8n_list_executions', {}, ['workflow:list'], 'execution:list'],
    ['n8n_get_execution', { id: '1' }, ['execution:list'], 'execution:read'],
    ['n8n_search_workflows', { text: 'x' }, ['execution:list'], 'workflow:list'],
    ['n8n_stop_execution', { id: '1' }, ['execution:read'], 'execution:stop'],
    ['n8n_delete_execution', { id: '1' }, ['execution:read'], 'execution:delete'],
  ])('%s names the scope that the key lacks', async (tool, args, scopes, lacking) => {
    await using key = await limitedKey(reached, scopes);
    const { url, owner } = reached;
    const limited = await openWorkbench(
      [...runningTools, ...executionTools, ...findTools],
      { url, apiKey: key.apiKey, ...(owner && { owner }) },
      {},
      bench,
    );
    await expect(limited.call(tool, args)).rejects.toThrow(`lacks the scope ${lacking}`);
  });

  test('a retry with a read-only key names the missing scope, and nothing runs', async () => {
    const { id } = await make(bench, 'retry', line(hook(bench.name('retry')), picky()));
    const { execution } = await bench.call<{ execution: string }>('n8n_execute_workflow', { id, data: { fail: 'x' } });
    await using key = await limitedKey(reached, ['execution:read', 'execution:list']);
    const limited = await openWorkbench(
      [...runningTools, ...executionTools],
      { url: reached.url, apiKey: key.apiKey },
      {},
      bench,
    );
    await expect(limited.call('n8n_retry_execution', { id: execution })).rejects.toThrow(
      'lacks the scope execution:retry',
    );
    expect((await bench.client.executions.page({ workflowId: id })).items).toHaveLength(1);
  });

  test('an endpoint that this n8n lacks gets another error than a missing workflow', async () => {
    await expect(bench.client.http.ask('GET', '/api/v1/node-types')).rejects.toThrow(
      /does not offer GET \/api\/v1\/node-types.*2\.41/s,
    );
    await expect(bench.client.http.ask('GET', '/api/v1/workflows/none')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('an unknown key is reported', async () => {
    const wrong = await openWorkbench(
      [...runningTools, ...executionTools],
      { url: reached.url, apiKey: 'nonsense' },
      {},
      bench,
    );
    await expect(wrong.call('n8n_list_executions')).rejects.toThrow('refused the API key');
  });

  test('an unreachable n8n is reported with its address', async () => {
    const gone = await openWorkbench(
      [...runningTools, ...executionTools],
      { url: 'http://127.0.0.1:9', apiKey: 'x' },
      {},
      bench,
    );
    await expect(gone.call('n8n_get_execution', { id: '1' })).rejects.toThrow('http://127.0.0.1:9) cannot be reached');
  });
});
