import { z } from 'zod';
import { blueprintTool, runInput, waitInput } from '../tool.ts';
import { isOwn } from '../service/control.ts';
import { runView } from '../service/run-view.ts';

const WAIT_S = 20;

export const resume = blueprintTool({
  name: 'blueprint_resume',
  title: 'Resume a run',
  description:
    'Goes on with a run as you: from the step that failed, after a cancellation, or where the rights of who deployed it were lost. For a step of which nobody knows whether it took effect, say with "unknown" whether it was done or is to be repeated.',
  effect: 'execute',
  confirms: true,
  phrases:
    'resume a run; retry from the failed step; try the deployment again; go on with the run; continue provisioning; repeat the failed step; take over a run',
  input: z.strictObject({
    run: runInput,
    unknown: z.enum(['done', 'repeat']).optional(),
    wait_seconds: waitInput(WAIT_S),
  }),
  output: runView,
  examples: [{ title: 'Try again', arguments: { run: 'onboard-project-5f1c09a2b3' } }],
  async preview({ run: id }, deps, { principal }) {
    const runtime = await deps.open();
    const run = await runtime.control.existing(id, principal);
    // Whoever deployed it, or resumed it before, has confirmed its steps.
    if (isOwn(run, principal)) return undefined;
    runtime.control.refuseResuming(run, principal);
    const whose = `${run.id} was deployed by ${await runtime.nameOf(run.deployer)}, who chose its inputs. Resuming it does the rest with your rights.`;
    const confirmed = runtime.confirmed(run, principal);
    if (confirmed.length === 0) return whose;
    return `${whose} It runs steps that change or delete things for good: ${confirmed
      .map(({ path }) => path)
      .slice(0, 10)
      .join(', ')}.`;
  },
  async run({ run, unknown, wait_seconds = WAIT_S }, deps, context, progress) {
    const runtime = await deps.open();
    const { id } = await runtime.control.resume(run, unknown, context.principal);
    return runtime.follow(id, wait_seconds, context, progress);
  },
});
