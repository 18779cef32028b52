import { z } from 'zod';
import { n8nTool } from '../tool.ts';
import { eachWorkflow, failure } from './each.ts';
import { existingWorkflow } from './existing.ts';
import { idsInput, idsOf } from './id-input.ts';
import { insistent } from './lost.ts';

export const unarchiveWorkflow = n8nTool({
  name: 'n8n_unarchive_workflow',
  title: 'Unarchive workflow',
  description:
    'Takes a workflow, or several, out of the archive. It comes back unpublished: n8n_activate_workflow makes it live again.',
  effect: 'update',
  phrases:
    'unarchive a workflow; bring back an archived workflow; take a workflow out of the archive; unhide a flow; restore from the archive; show an archived automation again; undo archiving; get it back from the archive; make an archived flow visible again; restore an archived workflow; use an archived automation again; reopen an archived workflow; we need the retired flow again; pull it out of storage; archived by mistake; un-archive; dig out an old workflow from the archive; make it visible again; fetch a flow from the archive; out of the archive; bring it back into the list; revive an archived flow; undo archive; it was archived, i need it',
  tags: ['workflows'],
  input: { id: idsInput },
  output: z.object({
    unarchived: z.array(z.object({ id: z.string(), name: z.string(), was_archived: z.boolean() })),
    failed: z.array(failure).optional(),
  }),
  async run({ id }, { client }, { signal }) {
    const { done, failed } = await eachWorkflow(idsOf(id), signal, (one) =>
      client.turns.take(one, async () => {
        const { name, isArchived } = await existingWorkflow(client, one, signal);
        if (isArchived) await insistent(() => client.workflows.unarchive(one));
        return { id: one, name, was_archived: isArchived };
      }),
    );
    return { unarchived: done, ...(failed.length > 0 && { failed }) };
  },
});
