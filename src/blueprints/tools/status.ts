import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { holdsScope } from '../../kernel/principal.ts';
import { runView } from '../service/run-view.ts';
import { blueprintTool, runInput, waitInput } from '../tool.ts';

const MOST_RESULT = 2000;

export const status = blueprintTool({
  name: 'blueprint_status',
  title: 'Status of a run',
  description:
    'Shows how a run goes: state, each step with times, attempts and errors, what it waits for and what can be done. With "step" also the result of that step. "wait_seconds" waits for the end.',
  effect: 'read',
  phrases:
    'status of a run; how far is the deployment; progress of provisioning; did the blueprint finish; why did the run fail; what is it waiting for; timeline of a run; is it done',
  input: z.strictObject({
    run: runInput,
    step: z.string().max(100).optional().describe('Show the result of this step'),
    wait_seconds: waitInput(0),
  }),
  output: runView.extend({
    result: z.string().optional().describe('JSON of the result of the step, shortened'),
  }),
  examples: [
    { title: 'Now', arguments: { run: 'onboard-project-5f1c09a2b3' } },
    { title: 'Wait for its end', arguments: { run: 'onboard-project-5f1c09a2b3', wait_seconds: 120 } },
  ],
  async run({ run: id, step, wait_seconds = 0 }, deps, context, progress) {
    const runtime = await deps.open();
    const view = await runtime.follow(id, wait_seconds, context, progress);
    if (step === undefined) return view;
    const run = await runtime.control.existing(id, context.principal);
    // A result may be data that only the tool's own scope lets somebody read.
    if (![run.deployer, run.actor].includes(context.principal.id) && !holdsScope(context.principal, 'admin'))
      throw new AppError('forbidden', `Only who deployed ${run.id}, or an admin, may see what its steps returned.`);
    const units = (await runtime.journal.units(run.id)).filter((unit) => unit.step === step && unit.phase === 'do');
    if (units.length === 0) throw new AppError('not_found', `${run.id} has not begun a step ${step}.`);
    const results = units.filter(({ item, result }) => (units.length === 1 || item >= 0) && result !== undefined);
    const value = units.length === 1 ? results[0]?.result : results.map(({ result }) => result);
    const text = JSON.stringify(runtime.masked(run, value)) ?? 'null';
    return {
      ...view,
      steps: view.steps.filter((one) => one.step === step),
      result: text.length > MOST_RESULT ? `${text.slice(0, MOST_RESULT)}…` : text,
    };
  },
});
