import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Json } from '../../kernel/source.ts';
import type { Runtime } from '../runtime.ts';
import { blueprintTool, inputsInput, nameInput, waitInput } from '../tool.ts';
import { runStates } from '../runs/run.ts';

const WAIT_S = 20;
const MOST_NAMED = 10;

export const deploy = blueprintTool({
  name: 'blueprint_deploy',
  title: 'Deploy a blueprint',
  description:
    'Starts a blueprint and follows it for a while. The run survives restarts; blueprint_status shows how it goes. The same run_id is the same run. With "schedule" it is deployed again and again by cron instead.',
  effect: 'execute',
  confirms: true,
  phrases:
    'deploy a blueprint; provision an agent; set up the service; run the blueprint; start provisioning; onboard a project; roll out; schedule a blueprint every night; execute a multi-step setup',
  guidance: 'Plan first: blueprint_plan shows what would happen and which inputs are missing.',
  recorded: ['name', 'run_id', 'schedule', 'wait_seconds'],
  input: z.strictObject({
    name: nameInput,
    inputs: inputsInput,
    run_id: z
      .string()
      .regex(/^[\w.@:-]{1,100}$/, 'must be letters, digits and . _ @ : -, at most 100')
      .optional()
      .describe('Your id for it: deploying again with it returns the same run'),
    schedule: z
      .union([z.literal(true), z.string().min(1).max(100)])
      .optional()
      .describe('Cron, for example "0 2 * * *"; true: as the blueprint says'),
    wait_seconds: waitInput(WAIT_S),
  }),
  output: z.object({
    run: z.string().describe('Id of the run, or of the schedule'),
    state: z.enum([...runStates, 'scheduled']),
    progress: z.object({ done: z.number(), total: z.number() }).optional(),
    outputs: z.record(z.string(), z.unknown()).optional(),
    error: z.string().optional(),
    next_at: z.string().optional().describe('When the schedule is due next'),
    next: z.string().optional().describe('What can be done now'),
  }),
  examples: [
    {
      title: 'With your own id',
      arguments: { name: 'onboard-project', inputs: { project: 'shop' }, run_id: 'shop-1' },
    },
    { title: 'Every night', arguments: { name: 'nightly-backup', inputs: {}, schedule: '0 2 * * *' } },
  ],
  /** The text of the definition: a confirmation does not hold for another one. */
  async bound({ name, run_id, schedule }, deps, context) {
    const runtime = await deps.open();
    // The run keeps its own definition, so there may be none any more.
    if (schedule === undefined && (await runtime.isKnown(context.principal, run_id))) return '';
    return runtime.asks(name, context);
  },
  async preview({ name, inputs = {}, run_id, schedule }, deps, { principal }) {
    const runtime = await deps.open();
    // A schedule begins runs of its own, whichever was confirmed before.
    if (schedule === undefined && (await runtime.isKnown(principal, run_id))) return undefined;
    const prepared = await runtime.prepare({ name, inputs, principal });
    const foreign = await runtime.confirmedTexts.asks(prepared, principal);
    const confirmed = runtime.confirmed(prepared, principal);
    if (confirmed.length === 0) return foreign;
    const named = confirmed
      .slice(0, MOST_NAMED)
      .map(({ path, step: { work } }) => (work.kind === 'tool' ? `${path} (${work.tool})` : path));
    const more = confirmed.length > MOST_NAMED ? ` and ${confirmed.length - MOST_NAMED} more` : '';
    const steps = `Deploying ${name} runs steps that change or delete things for good: ${named.join(', ')}${more}.`;
    return foreign === undefined ? steps : `${foreign} ${steps}`;
  },
  async run({ name, inputs = {}, run_id, schedule, wait_seconds = WAIT_S }, deps, context, progress) {
    const runtime = await deps.open();
    const { principal, trace } = context;
    const hash = runtime.confirmedBy(context);
    if (schedule !== undefined) return scheduled(runtime, { name, inputs, schedule, hash }, principal);
    const { id } = await runtime.deploy({ name, inputs, runId: run_id, principal, trace, hash });
    const {
      run,
      state,
      progress: how,
      outputs,
      error,
      next,
    } = await runtime.follow(id, wait_seconds, context, progress);
    return {
      run,
      state,
      progress: how,
      ...(outputs && { outputs }),
      ...(error !== undefined && { error }),
      ...(next !== undefined && { next }),
    };
  },
});

interface Scheduling {
  readonly name: string;
  readonly inputs: Json;
  readonly schedule: true | string;
  readonly hash: string | undefined;
}

async function scheduled(
  runtime: Runtime,
  { name, inputs, schedule, hash: confirmed }: Scheduling,
  principal: Principal,
) {
  if (principal.expires !== undefined)
    throw new AppError('forbidden', 'A sign-in expires, so it cannot schedule. Deploy it with a key.');
  const prepared = await runtime.prepare({ name, inputs, principal, hash: confirmed });
  const { definition, hash, inputs: checked } = prepared;
  const cron = schedule === true ? definition.schedule : schedule;
  if (cron === undefined)
    throw new AppError('invalid_input', `${name} says no schedule. Give one: schedule: "0 2 * * *".`);
  await runtime.nextAfter(cron, Date.now());
  if (confirmed !== undefined) await runtime.confirmedTexts.remember(prepared, principal);
  const { id, nextAt = 0 } = await runtime.schedules.add({ name, cron, hash, inputs: checked, as: principal });
  runtime.events.record({ type: 'blueprint.scheduled', schedule: id, blueprint: name, cron, principal: principal.id });
  return {
    run: id,
    state: 'scheduled' as const,
    next_at: new Date(nextAt).toISOString(),
    next: `blueprint_cancel {run: "${id}"} ends the schedule.`,
  };
}
