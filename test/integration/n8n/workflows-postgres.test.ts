import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tagTools } from '../../../src/n8n/tags/tools.ts';
import { workflowTools } from '../../../src/n8n/workflows/tools.ts';
import { N8N_START_MS, n8nIsMissing, startN8n } from '../../support/n8n.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { answering } from './fixtures.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

interface Made {
  workflow: { id: string; version: string };
}

describe.skipIf(n8nIsMissing ?? postgresIsMissing)('workflows of an n8n on PostgreSQL', () => {
  let bench: Workbench;

  beforeAll(async () => {
    bench = await openWorkbench([...workflowTools, ...tagTools], await startN8n({ database: 'postgres' }));
  }, N8N_START_MS);

  afterAll(() => bench[Symbol.asyncDispose]());

  const webhook = async (path: string) => (await fetch(`${bench.url}/webhook/${path}`)).json();

  test('are created, published, edited as a draft, compared, tagged, archived and deleted', async () => {
    const name = bench.name('tour');
    const { workflow } = await bench.call<Made>('n8n_create_workflow', { name, ...answering(name), publish: true });
    const { id } = workflow;
    expect(await webhook(name)).toEqual({ value: 1 });
    await bench.call('n8n_edit_workflow', {
      id,
      operations: [
        { op: 'set_parameter', node: 'Answer', path: 'jsonOutput', value: '{"value":2}' },
        { op: 'pin_data', node: 'Answer', items: [{ pinned: true }] },
      ],
      expected_version: workflow.version,
    });
    expect(await webhook(name)).toEqual({ value: 1 });
    const compared = await bench.call('n8n_diff_versions', { id, before: workflow.version });
    expect(compared).toMatchObject({
      same: false,
      changes: [expect.stringContaining('parameters.jsonOutput') as string],
    });
    await bench.call('n8n_publish_workflow', { id });
    expect(await webhook(name)).toEqual({ value: 2 });
    await bench.call('n8n_set_workflow_tags', { id, tags: [bench.name('tag')], create: true });
    expect(await bench.call('n8n_list_workflows', { tags: [bench.name('tag')] })).toMatchObject({
      workflows: [{ id }],
    });
    const history = await bench.call<{ versions: unknown[] }>('n8n_list_versions', { id });
    expect(history.versions).toMatchObject([{ is: 'draft and live' }, { version: workflow.version }]);
    await bench.call('n8n_archive_workflow', { id });
    await bench.call('n8n_archive_workflow', { id, archived: false });
    expect((await bench.client.workflows.get(id)).pinData).toEqual({ Answer: [{ json: { pinned: true } }] });
    expect(await bench.call('n8n_delete_workflow', { id })).toMatchObject({ deleted: [{ id, name }] });
  });
});
