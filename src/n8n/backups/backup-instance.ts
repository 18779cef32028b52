import { z } from 'zod';
import type { Progress } from '../../kernel/progress.ts';
import { n8nTool } from '../tool.ts';
import { uncopied } from './backup-input.ts';
import { backUpInstance } from './read-instance.ts';

export const backupInstance = n8nTool({
  name: 'n8n_backup_instance',
  title: 'Back up instance',
  description:
    'Saves a copy of a whole n8n: every workflow, tags, data tables with their rows, and names and types of credentials (n8n never shows their values). Each workflow that changed also gets its own backup.',
  effect: 'create',
  phrases:
    'back up everything; back up all workflows; full backup of n8n; export the whole instance; copy of the entire n8n; snapshot of the complete system; save all data tables and workflows; backup before an upgrade or migration; disaster recovery copy; save my entire n8n; make a full copy of everything; export all my automations; backup of the complete server; protect against data loss before migrating; dump all workflows tags and tables; back up my whole setup; secure all of it before we migrate; dump the n8n; save the lot; copy of all my stuff; backup of all flows; i am about to update n8n, save everything; archive copy of the whole installation; total backup; store a complete image of the platform; secure all flows and tables; save everything before maintenance; entire n8n as a copy; backup the server; make sure nothing gets lost',
  tags: ['backups'],
  input: {},
  output: z.object({
    backup: z.string().describe('Its id; n8n_restore_workflow and n8n_restore_data_table restore from it'),
    instance: z.string(),
    taken: z.string(),
    bytes: z.number(),
    workflows: z.number(),
    changed: z.number().describe('Workflows that differ from their last backup'),
    tags: z.number(),
    credentials: z.number(),
    data_tables: z.number(),
    rows: z.number(),
    missing: z.array(z.string()).optional().describe('What could not be read, and why'),
    note: z.string().optional().describe('Why S3 does not have it yet'),
  }),
  async run(_, { client, backups }, { signal }, progress) {
    const { note, missing, dataTables, fresh, ...counts } = await backUpInstance(client, backups, signal, progress);
    const { id, ...about } = note;
    // After the workflows, because progress only rises.
    const copying: Progress = (done, total = 0) =>
      progress(counts.workflows + done, counts.workflows + total, 'workflows and copies');
    const copied = await uncopied(backups, [id, ...fresh], { signal, progress: copying });
    return {
      backup: id,
      ...about,
      ...counts,
      data_tables: dataTables,
      ...(missing.length > 0 && { missing }),
      ...copied,
    };
  },
});
