import { exit, UsageError } from '../../cli/frame.ts';
import { choiceIn, given, numberIn, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Values, Verb } from '../../kernel/command.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import { runStates } from '../runs/run.ts';
import type { RunHeadView, RunView } from '../service/run-view.ts';
import type { cancel } from '../tools/cancel.ts';
import type { status } from '../tools/status.ts';
import { withCalls } from './calls.ts';
import { deployBlueprint } from './deploy.ts';
import { followed, type Showing, shown, waitIn, waitOptions } from './follow.ts';
import { inputOptions } from './inputs.ts';
import { listRuns, listSchedulesOf } from './lists.ts';
import { more, yes } from './options.ts';

const MOST_RUNS = 1000;
const FOR_EVER = Number.MAX_SAFE_INTEGER;

/** What the command line does with runs. */
export function runVerbs(place: Place) {
  const { terminal } = place;
  const to = (values: Values) => ({ terminal, json: values.json === true });
  const showing = (values: Values, ms: number, ...wanted: RunView['state'][]): Showing => ({
    ...to(values),
    wanted,
    mayBeOpen: ms === 0,
  });
  return {
    deploy: {
      summary: 'Deploys a blueprint, and follows the run',
      usage:
        'NAME [--input K=V …] [--inputs FILE] [--secret K …] [--run-id ID] [--schedule CRON] [--wait T | --no-wait] [--yes]',
      example: 'sluice blueprint deploy onboard-project --input project=shop',
      positionals: [1, 1],
      options: {
        ...inputOptions,
        'run-id': { type: 'string', describe: 'Your id for the run: deploying again with it shows the same run' },
        schedule: { type: 'string', describe: 'Deploy by cron from now on, for example "0 2 * * *"' },
        'schedule-as-defined': { type: 'boolean', describe: 'Deploy by the cron that the blueprint has' },
        ...waitOptions,
        yes,
        ...more,
      },
      run: ({ values, positionals: [name = ''] }) => deployBlueprint(place, values, name),
    },
    status: {
      summary: 'Shows how a run goes',
      usage: 'RUN [--step S] [--wait T] [--follow] [--json]',
      example: 'sluice blueprint status onboard-project-5f1c09a2b3 --follow',
      positionals: [1, 1],
      options: {
        step: { type: 'string', describe: 'Also show the result of this step' },
        wait: { type: 'string', describe: 'Wait for the end of the run, at most so long: 60s, 10m' },
        follow: { type: 'boolean', describe: 'Wait until the run has ended, however long that takes' },
        ...more,
      },
      run({ values, positionals: [run = ''] }) {
        const ms = values.follow === true ? FOR_EVER : waitIn(values, 0);
        const step = textIn(values, 'step');
        if (step !== undefined && ms > 0) throw new UsageError('--step shows how it is now: leave out the wait');
        return withCalls(
          place,
          values,
          async (calls) => {
            const wanted = showing(values, ms, ...(ms === 0 ? runStates : (['succeeded'] as const)));
            if (step === undefined) return followed(calls, run, ms, { ...wanted, patient: values.follow === true });
            const view = await calls.call<OutputOf<typeof status>>('blueprint_status', { run, step });
            const code = shown(view, calls, wanted);
            if (values.json !== true) terminal.print(`result: ${view.result ?? 'none'}`);
            return code;
          },
          'blueprint_status',
        );
      },
    },
    approve: {
      summary: 'Approves or refuses the step that a run waits in',
      usage: 'RUN [STEP] [--refuse] [--comment T]',
      example: 'sluice blueprint approve promote-workflow-5f1c09a2b3 --comment Tested',
      positionals: [1, 2],
      options: {
        refuse: { type: 'boolean', describe: 'Refuse it: the step fails' },
        comment: { type: 'string', describe: 'Why; kept with the run' },
        ...more,
      },
      run: ({ values, positionals: [run = '', step] }) =>
        withCalls(place, values, async (calls) => {
          const approve = values.refuse !== true;
          const comment = textIn(values, 'comment');
          const args = { run, approve, ...given('step', step), ...given('comment', comment) };
          const decided = await calls.call<RunHeadView>('blueprint_approve', args);
          if (values.json === true) terminal.print(JSON.stringify(decided, null, 2));
          terminal.say(`${approve ? 'Approved' : 'Refused'}. ${decided.run} is ${decided.state}.`);
          if (calls.isOwn) terminal.say('No gateway runs now. The run goes on when `sluice serve` runs.');
          return exit.done;
        }),
    },
    cancel: {
      summary: 'Stops a run, or ends a schedule',
      usage: 'RUN|SCHEDULE [--undo | --keep]',
      example: 'sluice blueprint cancel onboard-project-5f1c09a2b3 --undo',
      positionals: [1, 1],
      options: {
        undo: { type: 'boolean', describe: 'Undo what was done' },
        keep: { type: 'boolean', describe: 'Leave what was done' },
        ...more,
      },
      run({ values, positionals: [run = ''] }) {
        if (values.undo === true && values.keep === true) throw new UsageError('use --undo or --keep, not both');
        const said = values.undo === true || values.keep === true;
        return withCalls(place, values, async (calls) => {
          const args = { run, ...(said && { undo: values.undo === true }) };
          const done = await calls.call<OutputOf<typeof cancel>>('blueprint_cancel', args);
          if (done.state !== 'removed')
            return followed(calls, done.run, waitIn({}), showing(values, 1, 'cancelled', 'undone'));
          if (values.json === true) terminal.print(JSON.stringify(done, null, 2));
          terminal.say(`The schedule ${done.run} has ended.`);
          return exit.done;
        });
      },
    },
    undo: {
      summary: 'Undoes the finished steps of a run, the last first',
      usage: 'RUN [--include-unsure] [--wait T | --no-wait] [--yes]',
      example: 'sluice blueprint undo onboard-project-5f1c09a2b3',
      positionals: [1, 1],
      options: {
        'include-unsure': { type: 'boolean', describe: 'Also undo steps that failed or whose end is unknown' },
        ...waitOptions,
        yes,
        ...more,
      },
      run({ values, positionals: [run = ''] }) {
        const ms = waitIn(values);
        return withCalls(place, values, async (calls) => {
          const unsure = values['include-unsure'] === true && { include_unsure: true };
          const begun = await calls.call<RunView>('blueprint_undo', { run, ...unsure, wait_seconds: 0 });
          return followed(calls, begun.run, ms, showing(values, ms, 'undone'));
        });
      },
    },
    resume: {
      summary: 'Goes on with a run that failed, was cancelled or lost its rights',
      usage: 'RUN [--unknown done|repeat] [--wait T | --no-wait] [--yes]',
      example: 'sluice blueprint resume onboard-project-5f1c09a2b3',
      positionals: [1, 1],
      options: {
        unknown: {
          type: 'string',
          describe: 'What to do with a step whose end is unknown: it is done, or repeat it',
        },
        ...waitOptions,
        yes,
        ...more,
      },
      run({ values, positionals: [run = ''] }) {
        const ms = waitIn(values);
        const unknown = choiceIn(values, 'unknown', ['done', 'repeat']);
        return withCalls(place, values, async (calls) => {
          const args = { run, ...given('unknown', unknown), wait_seconds: 0 };
          const begun = await calls.call<RunView>('blueprint_resume', args);
          return followed(calls, begun.run, ms, showing(values, ms, 'succeeded'));
        });
      },
    },
    history: {
      summary: 'Lists runs, the newest first',
      usage: '[--name N] [--state S] [--limit N] [--json]',
      example: 'sluice blueprint history --state waiting',
      options: {
        name: { type: 'string', describe: 'Only runs of this blueprint' },
        state: { type: 'string', describe: `Only runs in this state: ${runStates.join(', ')}` },
        limit: { type: 'string', describe: 'How many (20)' },
        ...more,
      },
      async run({ values }) {
        choiceIn(values, 'state', runStates);
        const limit = numberIn(values, 'limit', [1, MOST_RUNS]);
        return withCalls(place, values, (calls) => listRuns(calls, values, limit, to(values)), 'blueprint_history');
      },
    },
    schedules: {
      summary: 'Lists what is deployed by cron; cancel ends one',
      usage: '[--json]',
      example: 'sluice blueprint schedules',
      options: more,
      run: ({ values }) =>
        withCalls(place, values, (calls) => listSchedulesOf(calls, to(values)), 'blueprint_list_schedules'),
    },
  } satisfies Record<string, Verb>;
}
