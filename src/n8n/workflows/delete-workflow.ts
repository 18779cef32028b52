import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { someOf } from '../../kernel/some-of.ts';
import type { N8nClient } from '../client/client.ts';
import { n8nTool } from '../tool.ts';
import { namedWorkflow, whoDepends } from './dependents.ts';
import { eachWorkflow, failure } from './each.ts';
import { existingWorkflow } from './existing.ts';
import { idsInput, idsOf } from './id-input.ts';
import { insistent } from './lost.ts';

export const deleteWorkflow = n8nTool({
  name: 'n8n_delete_workflow',
  title: 'Delete workflow',
  description:
    'Deletes a workflow, or several, for good, with its executions; a live one is unpublished first. A backup is taken first: n8n_restore_workflow brings it back. To hide it instead, use n8n_archive_workflow.',
  effect: 'delete',
  phrases:
    'delete a workflow; remove a workflow for good; trash an automation; get rid of a flow; erase a workflow permanently; throw it away; destroy a workflow; drop it completely; remove an automation; i do not need this workflow any more; delete several workflows; clean up old workflows; kill this flow forever; wipe out a workflow; get rid of an automation; the demo flows can go; scrap it; remove it completely; dispose of a workflow; i want this automation gone forever; nobody needs this flow, delete it; destroy it; bin it; permanently remove the test workflows; bin this flow; we never need it again, wipe it; remove a flow; the workflow can be deleted; eliminate an automation; get it out of n8n for good; discard a workflow; purge test workflows; this one is garbage',
  tags: ['workflows'],
  input: { id: idsInput },
  output: z.object({
    deleted: z.array(z.object({ id: z.string(), name: z.string(), backup: z.string() })),
    failed: z.array(failure).optional().describe('Workflows not deleted, and why'),
  }),
  async preview({ id }, { client }, { signal }) {
    const { done: found, failed } = await eachWorkflow(idsOf(id), signal, (one) =>
      existingWorkflow(client, one, signal),
    );
    const what = found.length === 1 ? 'the workflow' : `${found.length} workflows:`;
    const absent = failed.length > 0 ? ` Not found: ${someOf(failed.map((one) => one.id))}.` : '';
    return `It deletes ${what} ${someOf(found.map(namedWorkflow))} with all executions; a backup is kept.${absent} ${await whoDepends(client, found, signal)}`;
  },
  async run({ id }, { client, backups }, { signal }) {
    const { done, failed } = await eachWorkflow(idsOf(id), signal, (one) =>
      client.turns.take(one, async () => {
        const workflow = await existingWorkflow(client, one, signal);
        const backup = await backups.keep(client.name, workflow, 'delete');
        signal.throwIfAborted();
        await remove(client, one);
        return { id: one, name: workflow.name, backup };
      }),
    );
    return { deleted: done, ...(failed.length > 0 && { failed }) };
  },
});

async function remove(client: N8nClient, id: string): Promise<void> {
  let again = false;
  await insistent(async () => {
    try {
      await client.workflows.delete(id);
    } catch (error) {
      // The first attempt deleted it, but its answer was lost.
      if (!again || !(error instanceof AppError) || error.code !== 'not_found') throw error;
    } finally {
      again = true;
    }
  });
}
