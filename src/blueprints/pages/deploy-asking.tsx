import { call, Failed } from '../../console/client/api.ts';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { confirmed } from '../../console/client/ui/dialog.tsx';
import { PlanWords } from './plan-words.tsx';
import type { Plan, PlannedStep, Whole } from './shapes.ts';

const MOST_PAGES = 20;

/** The whole plan: the tool answers as much as fits. */
export async function planOf(name: string, inputs: object): Promise<Plan> {
  let plan = await call<Plan>('blueprint_plan', { name, inputs });
  const steps: PlannedStep[] = [...plan.steps];
  for (let page = 1; page < MOST_PAGES && plan.more_steps !== undefined && plan.steps.length > 0; page++) {
    plan = await call<Plan>('blueprint_plan', { name, inputs, from: steps.length });
    steps.push(...plan.steps);
  }
  return { ...plan, steps };
}

/** Deploys after somebody agreed. Returns the id of the run; undefined if they did not. */
export async function deployAsking(
  { name, kind }: Pick<Whole, 'name' | 'kind'>,
  inputs: object,
  plan: Plan,
): Promise<string | undefined> {
  const tool = kind === 'recipe' ? 'recipe_run' : 'blueprint_deploy';
  const args = { name, inputs, wait_seconds: 0 };
  const question = { title: `Deploy ${name}?`, yes: 'Deploy it', text: <PlanWords plan={plan} /> };
  // What the gateway wants confirmed it asks for itself: then one question is enough.
  if (plan.confirmations.length === 0) {
    if ((await confirmed(question)) === undefined) return undefined;
    return (await callAsking<{ run: string }>(tool, args, question))?.run;
  }
  try {
    return (await call<{ run: string }>(tool, args)).run;
  } catch (error) {
    if (!(error instanceof Failed) || error.confirm === undefined) throw error;
    const [says = ''] = error.message.split('Nothing was done yet.');
    const text = (
      <>
        <p>
          <bdi>{says.trim()}</bdi>
        </p>
        <PlanWords plan={plan} />
      </>
    );
    if ((await confirmed({ ...question, text, danger: true })) === undefined) return undefined;
    return (await call<{ run: string }>(tool, args, { confirm: error.confirm })).run;
  }
}

/** Schedules after somebody has said when. Returns when it is due; undefined if they do not want it. */
export async function scheduleAsking(
  { name, schedule = '' }: Pick<Whole, 'name' | 'schedule'>,
  inputs: object,
): Promise<string | undefined> {
  const given = await confirmed({
    title: `Schedule ${name}?`,
    text: (
      <>
        It is deployed with these inputs again and again, with the rights of your key.
        {schedule !== '' && (
          <>
            {' '}
            Empty: <code>{schedule}</code>, as the blueprint suggests.
          </>
        )}
      </>
    ),
    yes: 'Schedule it',
    note: { label: 'Cron, for example 0 2 * * * for every night at two', required: schedule === '' },
  });
  if (given === undefined) return undefined;
  const cron = given.trim() === '' ? true : given.trim();
  const question = { title: `Schedule ${name}?`, yes: 'Schedule it' };
  const done = await callAsking<{ next_at: string }>('blueprint_deploy', { name, inputs, schedule: cron }, question);
  return done?.next_at;
}
