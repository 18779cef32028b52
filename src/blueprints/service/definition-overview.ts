import { ownCalls } from '../../kernel/own-calls.ts';
import type { Principal } from '../../kernel/principal.ts';
import { findingLine, isError } from '../definition/finding.ts';
import type { Known } from '../library/known.ts';
import type { Runtime } from '../runtime.ts';
import type { DefinitionOverview } from './detail-views.ts';
import { cut } from './outline.ts';
import { viewHead } from './view.ts';

const MOST = 1000;
/** Checking one takes milliseconds. Of more than this, only what reading them found is said. */
const MOST_CHECKED = 200;
const MOST_PROBLEMS = 50;
const LONGEST_TEXT = 300;

/** All definitions at a glance. Their last runs are only those that this principal may know about. */
export async function definitionOverviewOf(
  { definitions, journal, schedules }: Pick<Runtime, 'definitions' | 'journal' | 'schedules'>,
  principal: Principal,
  seesRuns: boolean,
): Promise<DefinitionOverview> {
  const all = await definitions.all();
  const mine = ownCalls(principal) && principal.id;
  const planned = seesRuns ? (await schedules.all()).filter(({ actor }) => mine === undefined || actor === mine) : [];
  const due = Map.groupBy(planned, ({ name }) => name);

  async function about(known: Known) {
    const { name, kind, origin, file, savedBy, summary } = known;
    const findings = all.length > MOST_CHECKED ? known.findings : await definitions.findingsOf(known, all);
    const [first, ...others] = findings.filter(isError);
    const [last] = seesRuns ? await journal.list({ name, limit: 1, mine }) : [];
    const count = due.get(name)?.length ?? 0;
    return {
      name,
      kind,
      origin,
      ...(file !== undefined && { file }),
      ...(savedBy !== undefined && { saved_by: savedBy }),
      ...(summary?.description !== undefined && { description: cut(summary.description, LONGEST_TEXT) }),
      ...(summary && { steps: summary.steps }),
      ...(summary?.schedule !== undefined && { schedule: summary.schedule }),
      ...(count > 0 && { schedules: count }),
      errors: first ? others.length + 1 : 0,
      warnings: findings.length - others.length - (first ? 1 : 0),
      ...(first && { problem: cut(findingLine(first), LONGEST_TEXT) }),
      ...(last && { last: lastOf(last) }),
    };
  }

  const problems = definitions.problems().map(({ where, message }) => cut(`${where}: ${message}`, LONGEST_TEXT));
  return {
    definitions: await Array.fromAsync(all.slice(0, MOST), about),
    ...(all.length > MOST && { more: all.length - MOST }),
    ...(problems.length > 0 && { problems: problems.slice(0, MOST_PROBLEMS) }),
  };
}

function lastOf(head: Parameters<typeof viewHead>[0]) {
  const { run, state, created_at, ended_at } = viewHead(head);
  return { run, state, created_at, ...(ended_at !== undefined && { ended_at }) };
}
