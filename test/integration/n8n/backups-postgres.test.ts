import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupTools } from '../../../src/n8n/backups/tools.ts';
import { N8N_START_MS, n8nIsMissing, startN8n } from '../../support/n8n.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

describe.skipIf(n8nIsMissing ?? postgresIsMissing)('backups of an n8n on PostgreSQL', () => {
  let bench: Workbench;

  beforeAll(async () => {
    bench = await openWorkbench(backupTools, await startN8n({ database: 'postgres' }));
  }, N8N_START_MS);

  afterAll(() => bench[Symbol.asyncDispose]());

  it('restore a changed and a deleted workflow under its id', async () => {
    const { client } = bench;
    const body = {
      name: bench.name('postgres'),
      nodes: [
        {
          id: 'a',
          name: 'A',
          type: 'n8n-nodes-base.noOp',
          typeVersion: 1,
          position: [0, 0] as [number, number],
          parameters: {},
        },
      ],
      connections: {},
      settings: { executionOrder: 'v1' },
    };
    const { id } = await client.workflows.create(body);
    const { backup } = await bench.call<{ backup: string }>('n8n_backup_instance');
    await client.workflows.update(id, { ...body, nodes: [] }, false);
    await bench.call('n8n_restore_workflow', { workflow: id });
    expect((await client.workflows.get(id)).nodes).toHaveLength(1);
    await client.workflows.delete(id);
    expect(await bench.call('n8n_restore_workflow', { backup, workflow: id })).toMatchObject({
      restored: 'brought back',
      workflow: { id },
    });
    expect((await client.workflows.get(id)).nodes).toMatchObject(body.nodes);
  });
});
