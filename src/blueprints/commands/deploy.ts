import { exit, UsageError } from '../../cli/frame.ts';
import { given, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Values } from '../../kernel/command.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { deploy } from '../tools/deploy.ts';
import { type Calls, withCalls } from './calls.ts';
import { followed, waitIn } from './follow.ts';
import { inputsIn } from './inputs.ts';

/** `sluice blueprint deploy`. */
export async function deployBlueprint(place: Place, values: Values, name: string): Promise<number> {
  const ms = waitIn(values);
  const schedule = scheduleIn(values);
  return withCalls(place, values, async (calls) => {
    const inputs = await inputsIn(place, values, name, calls);
    const args = {
      name,
      inputs,
      ...given('run_id', textIn(values, 'run-id')),
      ...(schedule !== undefined && { schedule }),
      // The id of the run is known before anything else: it is followed with calls of their own.
      wait_seconds: 0,
    };
    const { run, state, next_at } = await calls.call<OutputOf<typeof deploy>>('blueprint_deploy', args);
    if (state === 'scheduled') return scheduled(place, values, { run, next_at }, calls);
    const { terminal } = place;
    terminal.say(`Deployed ${name} as ${run}.`);
    return followed(calls, run, ms, {
      terminal,
      json: values.json === true,
      wanted: ['succeeded'],
      mayBeOpen: ms === 0,
    });
  });
}

function scheduleIn(values: Values): true | string | undefined {
  const cron = textIn(values, 'schedule');
  const asDefined = values['schedule-as-defined'] === true;
  if (cron !== undefined && asDefined) throw new UsageError('use --schedule or --schedule-as-defined, not both');
  return asDefined ? true : cron;
}

function scheduled(
  { terminal }: Place,
  values: Values,
  { run, next_at: next }: { readonly run: string; readonly next_at?: string | undefined },
  { isOwn }: Calls,
): number {
  if (values.json === true) terminal.print(JSON.stringify({ schedule: run, ...given('next_at', next) }, null, 2));
  else terminal.print(`${run}: due next at ${next ?? '?'}`);
  terminal.say(`\`sluice blueprint cancel ${run}\` ends the schedule.`);
  if (isOwn) terminal.say('No gateway runs now. Schedules are carried out while `sluice serve` runs.');
  return exit.done;
}
