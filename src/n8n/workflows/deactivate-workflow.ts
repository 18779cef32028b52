import { z } from 'zod';
import { instanceInput } from '../instances.ts';
import { n8nTool } from '../tool.ts';
import { eachWorkflow, failure } from './each.ts';
import { existingWorkflow } from './existing.ts';
import { idsInput, idsOf } from './id-input.ts';
import { insistent } from './lost.ts';
import { untilGone } from './live.ts';

export const deactivateWorkflow = n8nTool({
  name: 'n8n_deactivate_workflow',
  title: 'Deactivate workflow',
  description:
    'Unpublishes a workflow, or several, and waits until the triggers are no longer live. Nothing is lost: n8n_activate_workflow publishes it again.',
  effect: 'update',
  scope: 'n8n:write',
  category: 'n8n',
  tags: ['workflows'],
  input: z.strictObject({ instance: instanceInput, id: idsInput }),
  output: z.object({
    deactivated: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        was_active: z.boolean(),
        gone: z.boolean().optional().describe('Whether its triggers were seen to be gone; absent: that cannot be seen'),
        note: z.string().optional(),
      }),
    ),
    failed: z.array(failure).optional(),
  }),
  async run({ instance, id }, { instances }, { signal }) {
    const client = instances.get(instance);
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
    return { deactivated: done, ...(failed.length > 0 && { failed }) };
  },
});
