import { z } from 'zod';
import type { PlanView } from '../../service/plan-view.ts';
import { runStates } from '../../runs/run.ts';
import { inputsInput, waitInput } from '../../tool.ts';
import { existingRecipe, recipeName, recipeTool } from '../tool.ts';

const WAIT_S = 20;
const MOST_SHOWN = 20;
const LONGEST_STEP = 250;

export const run = recipeTool({
  name: 'recipe_run',
  title: 'Run a recipe',
  description:
    'Runs a recipe with these inputs and follows it for a while. If it changes anything, the first answer lists the steps with the inputs filled in and asks for a confirmation. blueprint_status shows how a run goes.',
  effect: 'execute',
  confirms: true,
  phrases: 'run a recipe; do it again for another team; repeat the saved steps; replay a recipe with other values',
  guidance: 'recipe_show shows the inputs it needs.',
  recorded: ['name', 'run_id', 'wait_seconds'],
  input: z.strictObject({
    name: recipeName,
    inputs: inputsInput,
    run_id: z
      .string()
      .regex(/^[\w.@:-]{1,100}$/, 'must be letters, digits and . _ @ : -, at most 100')
      .optional()
      .describe('Your id for it: running again with it returns the same run'),
    wait_seconds: waitInput(WAIT_S),
  }),
  output: z.object({
    run: z.string(),
    state: z.enum(runStates),
    progress: z.object({ done: z.number(), total: z.number() }),
    outputs: z.record(z.string(), z.unknown()).optional().describe('The result of the last step'),
    error: z.string().optional(),
    next: z.string().optional().describe('What can be done now'),
  }),
  examples: [{ title: 'With an input', arguments: { name: 'onboard-team', inputs: { team: 'globex' } } }],
  /** The text of the recipe: a confirmation does not hold for another one. */
  async bound({ name, run_id }, deps, context) {
    const runtime = await deps.open();
    if (await runtime.isKnown(context.principal, run_id)) return '';
    await existingRecipe(runtime, name);
    return runtime.asks(name, context);
  },
  async preview({ name, inputs = {}, run_id }, deps, { principal }) {
    const runtime = await deps.open();
    if (await runtime.isKnown(principal, run_id)) return undefined;
    await existingRecipe(runtime, name);
    const foreign = await runtime.confirmedTexts.asks(await runtime.prepare({ name, inputs, principal }), principal);
    const planned = await runtime.plan({ name, inputs, principal });
    const { steps, more_steps = 0, confirmations } = planned;
    const changes = steps.some(({ effect }) => effect !== 'read') || more_steps > 0;
    if (foreign !== undefined) return `${foreign} ${previewOf(planned)}`;
    return changes || confirmations.length > 0 ? previewOf(planned) : undefined;
  },
  async run({ name, inputs = {}, run_id, wait_seconds = WAIT_S }, deps, context, progress) {
    const runtime = await deps.open();
    const { principal, trace } = context;
    if (!(await runtime.isKnown(principal, run_id))) await existingRecipe(runtime, name);
    const hash = runtime.confirmedBy(context);
    const { id } = await runtime.deploy({ name, inputs, runId: run_id, principal, trace, hash });
    const view = await runtime.follow(id, wait_seconds, context, progress);
    const { outputs, error, next } = view;
    return {
      run: view.run,
      state: view.state,
      progress: view.progress,
      ...(outputs && { outputs }),
      ...(error !== undefined && { error }),
      ...(next !== undefined && { next }),
    };
  },
});

function previewOf({ name, steps, more_steps = 0 }: PlanView): string {
  const lines = steps.slice(0, MOST_SHOWN).map(({ does, effect }, index) => {
    const { tool, arguments: given } = does as { tool?: unknown; arguments?: unknown };
    const what = typeof tool === 'string' ? `${tool} ${JSON.stringify(given ?? {})}` : JSON.stringify(does);
    const short = what.length > LONGEST_STEP ? `${what.slice(0, LONGEST_STEP)}…` : what;
    return `${index + 1}. ${short}${effect === undefined ? '' : ` (${effect})`}`;
  });
  const more = steps.length - lines.length + more_steps;
  return `Running ${name} calls:\n${lines.join('\n')}${more > 0 ? `\n… and ${more} more` : ''}\n`;
}
