import { z } from 'zod';
import type { N8nClient } from '../client/client.ts';
import { n8nTool } from '../tool.ts';
import { eachWorkflow, failure } from './each.ts';
import { existingWorkflow } from './existing.ts';
import { idsInput, idsOf } from './id-input.ts';
import { insistent } from './lost.ts';

export const archiveWorkflow = n8nTool({
  name: 'n8n_archive_workflow',
  aliases: { n8n_unarchive_workflow: (given) => ({ ...given, archived: false }) },
  title: 'Archive workflow',
  description:
    'Moves a workflow, or several, into the archive: unpublished, hidden from lists and read-only. A backup is taken first. "archived": false takes it out of the archive, unpublished: n8n_publish_workflow makes it live again.',
  effect: 'update',
  phrases:
    'archive a workflow; put it away without deleting; retire an old workflow; hide a workflow from the list; shelve an automation; move to the archive; keep but do not show a workflow; set aside a workflow that is no longer needed; file a workflow away; clean up without deleting; remove from view but keep it; store an unused workflow; park a workflow i no longer use; put several workflows in the archive; move workflows out of sight; we do not use it any longer but keep it; mothball a workflow; tidy away unused flows; soft delete; lay it aside for later; put an obsolete workflow into storage; tuck it away; old flows out of the list but not destroyed; put on the shelf; store away for good; remove it from the overview without losing it; decommission a workflow; unarchive a workflow; bring back an archived workflow; take a workflow out of the archive; unhide a flow; restore from the archive; show an archived automation again; undo archiving; get it back from the archive; make an archived flow visible again; restore an archived workflow; use an archived automation again; reopen an archived workflow; we need the retired flow again; pull it out of storage; archived by mistake; un-archive; dig out an old workflow from the archive; make it visible again; fetch a flow from the archive; out of the archive; bring it back into the list; revive an archived flow; undo archive; it was archived, i need it',
  tags: ['workflows'],
  input: {
    id: idsInput,
    archived: z.boolean().optional().describe('Default: true. false takes it out of the archive'),
  },
  output: z.object({
    archived: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          was_active: z.boolean().describe('It was live until now'),
          backup: z.string().optional().describe('Absent if it was already archived'),
        }),
      )
      .optional(),
    unarchived: z.array(z.object({ id: z.string(), name: z.string(), was_archived: z.boolean() })).optional(),
    failed: z.array(failure).optional(),
  }),
  async run({ id, archived = true }, { client, backups }, { signal }) {
    if (!archived) return unarchive(client, idsOf(id), signal);
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

async function unarchive(client: N8nClient, ids: string[], signal: AbortSignal) {
  const { done, failed } = await eachWorkflow(ids, signal, (one) =>
    client.turns.take(one, async () => {
      const { name, isArchived } = await existingWorkflow(client, one, signal);
      if (isArchived) await insistent(() => client.workflows.unarchive(one));
      return { id: one, name, was_archived: isArchived };
    }),
  );
  return { unarchived: done, ...(failed.length > 0 && { failed }) };
}
