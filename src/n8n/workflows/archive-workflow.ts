import { z } from 'zod';
import { n8nTool } from '../tool.ts';
import { eachWorkflow, failure } from './each.ts';
import { existingWorkflow } from './existing.ts';
import { idsInput, idsOf } from './id-input.ts';
import { insistent } from './lost.ts';

export const archiveWorkflow = n8nTool({
  name: 'n8n_archive_workflow',
  title: 'Archive workflow',
  description:
    'Puts a workflow, or several, into the archive: unpublished, hidden from lists, not to be changed until n8n_unarchive_workflow. A backup is taken first.',
  effect: 'update',
  phrases:
    'archive a workflow; put it away without deleting; retire an old workflow; hide a workflow from the list; shelve an automation; move to the archive; keep but do not show a workflow; set aside a workflow that is no longer needed; file a workflow away; clean up without deleting; remove from view but keep it; store an unused workflow; park a workflow i no longer use; put several workflows in the archive; move workflows out of sight; we do not use it any longer but keep it; mothball a workflow; tidy away unused flows; soft delete; lay it aside for later; put an obsolete workflow into storage; tuck it away; old flows out of the list but not destroyed; put on the shelf; store away for good; remove it from the overview without losing it; decommission a workflow',
  tags: ['workflows'],
  input: { id: idsInput },
  output: z.object({
    archived: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        was_active: z.boolean().describe('It was live, and is not any more'),
        backup: z.string().optional().describe('Absent where it was archived already'),
      }),
    ),
    failed: z.array(failure).optional(),
  }),
  async run({ id }, { client, backups }, { signal }) {
    const { done, failed } = await eachWorkflow(idsOf(id), signal, (one) =>
      client.turns.take(one, async () => {
        const before = await existingWorkflow(client, one, signal);
        const told = { id: one, name: before.name, was_active: before.active };
        if (before.isArchived) return told;
        const backup = await backups.keep(client.name, before, 'archive');
        await insistent(() => client.workflows.archive(one));
        return { ...told, backup };
      }),
    );
    return { archived: done, ...(failed.length > 0 && { failed }) };
  },
});
