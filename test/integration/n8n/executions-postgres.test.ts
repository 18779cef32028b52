import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/kernel/source.ts';
import { executionTools } from '../../../src/n8n/executions/tools.ts';
import { runningTools } from '../../../src/n8n/running/tools.ts';
import { findTools } from '../../../src/n8n/find/tools.ts';
import { N8N_START_MS, n8nIsMissing, startN8n } from '../../support/n8n.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { hook, line, make, node, picky } from '../../support/workflows.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

describe.skipIf(n8nIsMissing ?? postgresIsMissing)('running and finding, with n8n on PostgreSQL', () => {
  let bench: Workbench;

  beforeAll(async () => {
    bench = await openWorkbench(
      [...runningTools, ...executionTools, ...findTools],
      await startN8n({ database: 'postgres' }),
    );
  }, N8N_START_MS);

  afterAll(() => bench[Symbol.asyncDispose]());

  test('executions run, fail, and are found, shown, grouped, retried and deleted', async () => {
    const path = bench.name('pg');
    const { id, name } = await make(bench, 'pg', line(hook(path), picky()));
    const good = await bench.call('n8n_execute_workflow', { id, data: { a: 1 } });
    expect(good).toMatchObject({ status: 'success', data: [{ passed: { a: 1 } }] });
    const bad = await bench.call<{ execution: string }>('n8n_execute_workflow', { id, data: { fail: 'x' } });
    expect(bad).toMatchObject({ status: 'error', error: { node: 'Check' } });

    const { executions } = await bench.call<{ executions: Json[] }>('n8n_list_executions', { workflow: id });
    expect(executions).toMatchObject([{ id: bad.execution, name, status: 'error' }, { status: 'success' }]);
    expect(await bench.call('n8n_list_failures', { workflow: id, since: '1h' })).toMatchObject({
      failed: 1,
      groups: [{ node: 'Check', example: bad.execution }],
    });
    expect(await bench.call('n8n_search_workflows', { webhook_path: path })).toMatchObject({
      found: 1,
      workflows: [{ id }],
    });
    expect(await bench.call('n8n_retry_execution', { id: bad.execution })).toMatchObject({
      status: 'error',
      retry_of: bad.execution,
    });
    expect(await bench.call('n8n_delete_execution', { id: bad.execution })).toEqual({ deleted: [bad.execution] });
  });

  test('a draft is tested with pinned data, and a waiting execution is stopped', async () => {
    const pause = node('Pause', 'wait', 1.1, { amount: 2, unit: 'hours' });
    const { id } = await make(bench, 'pg-draft', line(node('Go', 'manualTrigger', 1), picky(), pause), {
      publish: false,
    });
    const tested = await bench.call('n8n_test_workflow', {
      id,
      pin_data: { Check: [{ pinned: 1 }] },
      up_to: 'Check',
    });
    expect(tested).toMatchObject({ status: 'success', pinned: ['Check'], data: [{ pinned: 1 }] });
    const waits = await bench.call<{ execution: string }>('n8n_execute_workflow', { id, data: {} });
    expect(waits).toMatchObject({ status: 'waiting' });
    expect(await bench.call('n8n_stop_execution', { id: waits.execution })).toMatchObject({
      stopped: [{ id: waits.execution }],
    });
  });
});
