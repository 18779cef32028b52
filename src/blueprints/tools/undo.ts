import { z } from 'zod';
import { blueprintTool, runInput, waitInput } from '../tool.ts';
import { runView } from '../service/run-view.ts';

const WAIT_S = 20;

export const undo = blueprintTool({
  name: 'blueprint_undo',
  title: 'Undo a run',
  description:
    'Undoes the finished steps of a run that has ended, the last first, as its blueprint says. Steps that failed, or of which nobody knows whether they took effect, are left alone unless include_unsure is true.',
  effect: 'delete',
  phrases:
    'undo a run; roll back the deployment; remove what the blueprint created; revert provisioning; clean up after a run; take it back',
  input: z.strictObject({
    run: runInput,
    include_unsure: z.boolean().optional().describe('Also undo steps that failed or whose end is unknown'),
    wait_seconds: waitInput(WAIT_S),
  }),
  output: runView,
  examples: [{ title: 'Undo', arguments: { run: 'onboard-project-5f1c09a2b3' } }],
  async preview({ run: id }, deps, { principal }) {
    const { control, journal } = await deps.open();
    const run = await control.existing(id, principal);
    const done = new Set(
      (await journal.units(run.id)).flatMap(({ step, state, phase }) =>
        state === 'done' && phase === 'do' ? [step] : [],
      ),
    );
    const steps = run.definition.steps.filter(
      ({ id: step, undo: way, work }) => done.has(step) && (way ?? work.kind === 'blueprint'),
    );
    if (steps.length === 0) return `${run.id} has no finished step that can be undone.`;
    return `This undoes ${steps
      .map(({ id: step }) => step)
      .toReversed()
      .join(', ')} of ${run.id}.`;
  },
  async run({ run, include_unsure = false, wait_seconds = WAIT_S }, deps, context, progress) {
    const runtime = await deps.open();
    const { id } = await runtime.control.undo(run, include_unsure, context.principal);
    return runtime.follow(id, wait_seconds, context, progress);
  },
});
