import { z } from 'zod';
import { n8nTool } from '../tool.ts';
import { eachWorkflow, failure } from '../workflows/each.ts';
import { existingWorkflow } from '../workflows/existing.ts';
import { idsInput, idsOf } from '../workflows/id-input.ts';
import { uncopied } from './backup-input.ts';

export const backupWorkflow = n8nTool({
  name: 'n8n_backup_workflow',
  title: 'Back up workflow',
  description:
    'Saves a copy of one or more workflows as they are now: nodes, connections, settings, pinned data, tags and the live version. Every change or deletion with these tools does this first. n8n_restore_workflow restores it.',
  effect: 'create',
  phrases:
    "back up a workflow; save a copy of this workflow; take a snapshot before changing it; make a restore point; keep the current state; checkpoint; save it so that i can go back; make a safety copy of one automation; keep a copy of my workflow; safe the current version; remember how it is now; snapshot this flow; before i edit, save the state; backup one workflow; freeze a copy before experimenting; remember the current state of a flow; store this version safely; i want to be able to return to this state; secure this workflow; keep today's state; preserve it as it is; before you fiddle with it, preserve it; save the present state; copy for safety; make sure i can undo later; record how the flow looks now; put a copy aside",
  tags: ['backups'],
  input: { id: idsInput },
  output: z.object({
    backups: z.array(
      z.object({
        workflow: z.string(),
        name: z.string(),
        backup: z.string(),
        unchanged: z.boolean().optional().describe('Unchanged since this backup, so no new one was made'),
      }),
    ),
    failed: z.array(failure).optional(),
    note: z.string().optional().describe('Why S3 does not have them yet'),
  }),
  async run({ id }, { client, backups }, { signal }) {
    const { done, failed } = await eachWorkflow(idsOf(id), signal, async (one) => {
      const workflow = await existingWorkflow(client, one, signal);
      const { id: backup, isNew } = await backups.take(client.name, workflow, 'asked');
      return { workflow: one, name: workflow.name, backup, ...(!isNew && { unchanged: true }) };
    });
    const ids = done.map(({ backup }) => backup);
    const note = await uncopied(backups, ids, { signal });
    return { backups: done, ...(failed.length > 0 && { failed }), ...note };
  },
});
