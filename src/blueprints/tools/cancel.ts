import { z } from 'zod';
import { ownCalls } from '../../kernel/own-calls.ts';
import { canElicit } from '../../kernel/confirmation.ts';
import type { CallContext } from '../../kernel/source.ts';
import type { Runtime } from '../runtime.ts';
import type { RunView } from '../service/run-view.ts';
import { blueprintTool, runInput } from '../tool.ts';

const WAIT_S = 10;

export const cancel = blueprintTool({
  name: 'blueprint_cancel',
  title: 'Cancel a run or a schedule',
  description:
    'Stops a run: what it does now is stopped, and nothing more is begun. "undo" says whether to undo what was done; without it the user is asked where the client can. Also ends a schedule.',
  effect: 'execute',
  phrases:
    'cancel a run; stop the deployment; abort provisioning; end a schedule; stop the blueprint; kill the run; do not deploy every night any more',
  input: z.strictObject({
    run: runInput.describe('Id of a run or of a schedule'),
    undo: z.boolean().optional().describe('true: undo what was done; false: leave it'),
  }),
  output: z.object({
    run: z.string(),
    state: z.string(),
    error: z.string().optional(),
    next: z.string().optional(),
  }),
  examples: [{ title: 'Stop and undo', arguments: { run: 'onboard-project-5f1c09a2b3', undo: true } }],
  async run({ run: id, undo }, deps, context, progress) {
    const runtime = await deps.open();
    const schedule = await runtime.schedules.head(id);
    if (schedule && (!ownCalls(context.principal) || schedule.actor === context.principal.id)) {
      await runtime.schedules.delete(schedule, context.principal);
      runtime.events.record({
        type: 'blueprint.unscheduled',
        schedule: id,
        blueprint: schedule.name,
        principal: context.principal.id,
      });
      return { run: id, state: 'removed' };
    }
    const { id: run } = await runtime.control.cancel(id, undo === true, context.principal);
    const stopped = await runtime.follow(run, WAIT_S, context, progress);
    if (undo !== undefined || stopped.state !== 'cancelled') return shown(stopped);
    if ((await asked(runtime, run, context)) !== true) return shown(stopped);
    await runtime.control.undo(run, false, context.principal);
    return shown(await runtime.follow(run, WAIT_S, context, progress));
  },
});

const shown = ({ run, state, error, next }: RunView) => ({
  run,
  state,
  ...(error !== undefined && { error }),
  ...(next !== undefined && { next }),
});

/** Whether the user wants to undo; undefined if he cannot be asked. */
async function asked({ control, journal }: Runtime, id: string, context: CallContext): Promise<boolean | undefined> {
  if (!canElicit(context)) return undefined;
  const run = await control.existing(id, context.principal);
  if (!control.mayUndo(run, context.principal)) return undefined;
  const done = (await journal.units(run.id)).filter(({ state, phase }) => state === 'done' && phase === 'do');
  if (done.length === 0) return false;
  const answer = await context
    .ask('elicitation/create', {
      mode: 'form',
      message: `${run.id} is cancelled. Undo the steps that are done (${[...new Set(done.map(({ step }) => step))].join(', ')})?`,
      requestedSchema: {
        type: 'object',
        properties: { undo: { type: 'boolean', title: 'Undo', description: 'No leaves what was done' } },
        required: ['undo'],
      },
    })
    .catch(() => undefined);
  if (!answer || 'error' in answer || answer.result.action !== 'accept') return undefined;
  return (answer.result.content as { undo?: unknown } | undefined)?.undo === true;
}
