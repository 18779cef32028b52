import { exit } from '../../cli/frame.ts';
import { firstLine, table } from '../../cli/table.ts';
import { given, textIn } from '../../cli/values.ts';
import type { Terminal } from '../../host/terminal.ts';
import type { Values } from '../../kernel/command.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { RunHeadView } from '../service/run-view.ts';
import type { history } from '../tools/history.ts';
import type { listDefinitions } from '../tools/list-definitions.ts';
import type { listSchedules } from '../tools/list-schedules.ts';
import type { Calls } from './calls.ts';

type Listed = OutputOf<typeof listDefinitions>;
type Schedules = OutputOf<typeof listSchedules>['schedules'];

const USUAL_RUNS = 20;

/** Prints data as JSON, or rows as a table with a head; says what it means if there are none. */
function printed(
  { terminal, json }: { readonly terminal: Terminal; readonly json: boolean },
  data: readonly unknown[],
  rows: readonly (readonly string[])[],
  none: string,
): number {
  if (json) terminal.print(JSON.stringify(data, null, 2));
  else if (data.length === 0) terminal.say(none);
  else for (const line of table(rows, terminal.width)) terminal.print(line);
  return exit.done;
}

export async function listBlueprints(
  { call }: Calls,
  query: string | undefined,
  to: { readonly terminal: Terminal; readonly json: boolean },
): Promise<number> {
  const all: Listed['definitions'][number][] = [];
  let problems: readonly string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await call<Listed>('blueprint_list_definitions', {
      ...given('query', query),
      ...given('cursor', cursor),
    });
    all.push(...page.definitions);
    problems = page.problems ?? [];
    if (page.cursor === undefined) break;
    cursor = page.cursor;
  }
  const rows = all.map(({ name, origin, steps, inputs = [], problems: wrong, description = '' }) => [
    name,
    origin,
    wrong === undefined ? String(steps ?? '') : `${wrong} problems`,
    inputs.join(', '),
    firstLine(description),
  ]);
  const code = printed(
    to,
    all,
    [['name', 'from', 'steps', 'inputs', 'description'], ...rows],
    'There are no blueprints. Put one into blueprints/ beside sluice.yaml, or save one: `sluice blueprint save FILE`.',
  );
  for (const line of problems) to.terminal.say(firstLine(line));
  return code;
}

export async function listRuns(
  { call }: Calls,
  values: Values,
  limit: number | undefined,
  to: { readonly terminal: Terminal; readonly json: boolean },
): Promise<number> {
  const wanted = limit ?? USUAL_RUNS;
  const all: RunHeadView[] = [];
  let cursor: string | undefined;
  do {
    const page = await call<OutputOf<typeof history>>('blueprint_history', {
      ...given('name', textIn(values, 'name')),
      ...given('state', textIn(values, 'state')),
      limit: Math.min(100, wanted - all.length),
      ...given('cursor', cursor),
    });
    all.push(...page.runs);
    cursor = page.cursor;
  } while (cursor !== undefined && all.length < wanted);
  const rows = all.map(({ run, state, created_at, deployed_by, waits_for, error = '' }) => [
    run,
    state,
    created_at.slice(0, 19).replace('T', ' '),
    deployed_by,
    firstLine(waits_for === undefined ? error : `waits for ${waits_for}`),
  ]);
  const code = printed(to, all, [['run', 'state', 'deployed', 'by', 'note'], ...rows], 'There are no such runs.');
  if (cursor !== undefined && !to.json) to.terminal.say('There are more: --limit shows more of them.');
  return code;
}

export async function listSchedulesOf(
  { call }: Calls,
  to: { readonly terminal: Terminal; readonly json: boolean },
): Promise<number> {
  const all: Schedules[number][] = [];
  for (;;) {
    const { schedules, more } = await call<OutputOf<typeof listSchedules>>('blueprint_list_schedules', {
      skip: all.length,
    });
    all.push(...schedules);
    if (more === undefined || schedules.length === 0) break;
  }
  const rows = all.map(({ schedule, name, cron, next_at = '', last_run = '', problem = '' }) => [
    schedule,
    name,
    cron,
    next_at.slice(0, 16).replace('T', ' '),
    last_run,
    firstLine(problem),
  ]);
  return printed(
    to,
    all,
    [['schedule', 'blueprint', 'cron', 'next (UTC)', 'last run', 'problem'], ...rows],
    'Nothing is scheduled. `sluice blueprint deploy NAME --schedule "0 2 * * *"` schedules a blueprint.',
  );
}
