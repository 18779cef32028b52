import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupTools } from '../../../src/n8n/backups/tools.ts';
import { workflowTools } from '../../../src/n8n/workflows/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { s3IsMissing, startS3, type TestS3 } from '../../support/s3.ts';
import { faultsBefore, type S3Faults, times, xml } from '../../support/s3-faults.ts';
import { openWorkbench, reachN8n, type Workbench } from '../../support/workbench.ts';

interface Listed {
  backups: { id: string; workflow: string; reason: string; where: string[] }[];
}

describe.skipIf(n8nIsMissing ?? s3IsMissing())('the tools for backups, with S3', () => {
  let s3: TestS3;
  let faults: S3Faults;
  let bench: Workbench;

  beforeAll(async () => {
    const reached = await reachN8n();
    s3 = await startS3();
    faults = await faultsBefore(s3.endpoint);
    const settings = { ...s3.settings(), endpoint: faults.endpoint };
    bench = await openWorkbench([...backupTools, ...workflowTools], reached, {}, { backupSettings: { s3: settings } });
  }, N8N_START_MS);

  afterAll(async () => {
    await bench?.[Symbol.asyncDispose]();
    await faults?.[Symbol.asyncDispose]();
    await s3?.[Symbol.asyncDispose]();
  });

  const made = async (name: string) => {
    const node = {
      id: 'a',
      name: 'A',
      type: 'n8n-nodes-base.noOp',
      typeVersion: 1,
      position: [0, 0] as [number, number],
    };
    const body = { name: bench.name(name), nodes: [{ ...node, parameters: {} }], connections: {}, settings: {} };
    return bench.client.workflows.create(body);
  };

  it('restore a deleted workflow under its id, from S3 alone', async () => {
    const before = await made('deleted');
    await bench.call('n8n_delete_workflow', { id: before.id });
    await bench.call('n8n_copy_backups');
    const { backups } = await bench.call<Listed>('n8n_list_backups', { workflow: before.id });
    expect(backups).toMatchObject([{ reason: 'delete', where: ['disk', 's3'] }]);
    await rm(bench.directory, { recursive: true });
    faults.fault = times(99, /GET .*\.json/, xml(403, 'AccessDenied'));
    expect(await bench.call('n8n_list_backups', { name: before.name })).toMatchObject({
      backups: [],
      note: expect.stringMatching(/^\d+ backups? could not be read: S3 at .* does not allow this key to read/),
    });
    faults.fault = undefined;
    const gone = await bench.call<Listed>('n8n_list_backups', { name: before.name });
    expect(gone.backups).toMatchObject([{ workflow: before.id, where: ['s3'] }]);
    expect(await bench.call('n8n_restore_workflow', { workflow: before.id })).toMatchObject({
      restored: 'brought back',
      workflow: { id: before.id, name: before.name },
    });
    expect((await bench.client.workflows.get(before.id)).nodes).toEqual(before.nodes);
  });

  it('say where a backup is that somebody asked for, and why S3 lacks it', async () => {
    const { id } = await made('asked');
    const kept = await bench.call<{ backups: { backup: string }[] }>('n8n_backup_workflow', { id });
    expect(kept).not.toHaveProperty('note');
    const { backups } = await bench.call<Listed>('n8n_list_backups', { workflow: id });
    expect(backups).toMatchObject([{ id: kept.backups[0]?.backup, where: ['disk', 's3'] }]);
    const whole = await bench.call<{ backup: string }>('n8n_backup_instance');
    expect(await bench.call('n8n_list_backups', { whole: true })).toMatchObject({
      whole: [{ id: whole.backup, where: ['disk', 's3'] }],
    });
    faults.fault = xml(403, 'AccessDenied');
    try {
      await bench.call('n8n_edit_workflow', { id, operations: [{ op: 'rename_node', node: 'A', to: 'B' }] });
      expect(await bench.call('n8n_backup_workflow', { id })).toMatchObject({
        note: expect.stringMatching(/^On disk, but not in S3 yet: S3 at .*does not allow/),
      });
      expect(await bench.call('n8n_list_backups', { workflow: id })).toMatchObject({
        note: expect.stringMatching(/^Only those on disk are listed: /),
      });
      await expect(bench.call('n8n_list_backups', { workflow: 'never' })).rejects.toThrow(/S3 could not be asked/);
      await expect(bench.call('n8n_copy_backups')).rejects.toThrow(/does not allow/);
      expect(await bench.call('n8n_prune_backups', { workflow: id, keep: 1, all: true })).toMatchObject({
        kept: 1,
        note: expect.stringMatching(/^Copies in S3 were left alone: /),
      });
    } finally {
      faults.fault = undefined;
    }
  });
});
