import { z } from 'zod';
import { sameArguments } from '../../kernel/tool.ts';
import { n8nTool } from '../tool.ts';
import { eachWorkflow, failure } from './each.ts';
import { existingWorkflow } from './existing.ts';
import { idsInput, idsOf } from './id-input.ts';
import { insistent } from './lost.ts';
import { untilGone } from './live.ts';

export const unpublishWorkflow = n8nTool({
  name: 'n8n_unpublish_workflow',
  aliases: { n8n_deactivate_workflow: sameArguments },
  title: 'Unpublish workflow',
  description:
    'Unpublishes a workflow, or several, and waits until the triggers are no longer live. Nothing is lost: n8n_publish_workflow publishes it again.',
  effect: 'update',
  phrases:
    'deactivate a workflow; turn off a workflow; switch it off; take it offline; pause an automation; disable a workflow for now; unpublish; stop the schedule; stop it from running by itself; take out of production; suspend temporarily; stop the trigger from firing; shut it down for a while; it should not run any more; stop a workflow from starting; no more automatic runs; make it inactive; it keeps sending messages, turn it off; put it on hold; freeze an automation; disable the webhook of a workflow; stop the automation; holiday break for a workflow; take it down; set it to inactive; it spams people, make it stop; no more triggers until further notice; stop it immediately from running again; over the holidays it should rest; it must not run at night any more; stop processing new events; put the workflow to sleep; cut it off; maintenance, so pause the flow; do not run it for the time being; keep it from starting; halt the automation; let it rest; it should not react any more; disarm the trigger; stop listening; temporarily off; prevent it from running; switch the automation off until monday; no runs tomorrow; block new runs; take the flow out of service; stop it going off; i do not want it to run; keep it quiet; make the workflow stop',
  tags: ['workflows'],
  input: { id: idsInput },
  output: z.object({
    unpublished: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        was_active: z.boolean(),
        gone: z.boolean().optional().describe('Whether its triggers have stopped; absent if unknown'),
        note: z.string().optional(),
      }),
    ),
    failed: z.array(failure).optional(),
  }),
  async run({ id }, { client }, { signal }) {
    const { done, failed } = await eachWorkflow(idsOf(id), signal, (one) =>
      client.turns.take(one, async () => {
        const { name, ...before } = await existingWorkflow(client, one, signal);
        if (!before.active) return { id: one, name, was_active: false, gone: true };
        await insistent(() => client.workflows.unpublish(one));
        const seen = await untilGone(client, { name, ...before }, signal);
        return {
          id: one,
          name,
          was_active: true,
          ...(seen.done !== undefined && { gone: seen.done }),
          ...(seen.note !== undefined && { note: seen.note }),
        };
      }),
    );
    return { unpublished: done, ...(failed.length > 0 && { failed }) };
  },
});
