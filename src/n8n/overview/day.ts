import type { N8nClient } from '../client/client.ts';
import type { Execution, Workflow } from '../client/shapes.ts';
import { gatherFailures, groupsOf } from '../executions/list-failures.ts';
import { countUpTo, cutNote } from './counting.ts';

export const DAY_MS = 86_400_000;
const LONG_MS = 3_600_000;
/** Limits, so that a large n8n answers in seconds and a busy one is not slowed down. */
const MOST_OF_DAY = 1000;
const MOST_NOW = 250;
const FAILURES = { counted: 500, read: 12, readOfOne: 1, readMs: 4000 };

/** The executions of the last 24 hours, and those that run and wait now. */
export async function executionsOfDay(client: N8nClient, now: number, until: number, signal: AbortSignal) {
  const since = new Date(now - DAY_MS);
  const startedAfter = since.toISOString();
  const ofDay = (status: string, most: number) =>
    countUpTo((query) => client.executions.page({ ...query, status, startedAfter }, signal), most, until);
  const ofNow = (status: string) =>
    countUpTo((query) => client.executions.page({ ...query, status }, signal), MOST_NOW, until);
  const [succeeded, canceled, running, waiting, failures] = await Promise.all([
    ofDay('success', MOST_OF_DAY),
    ofDay('canceled', MOST_NOW),
    ofNow('running'),
    ofNow('waiting'),
    gatherFailures(client, { since, until: new Date(now) }, FAILURES, signal),
  ]);
  return { succeeded, canceled, running, waiting, failures };
}

export type Day = Awaited<ReturnType<typeof executionsOfDay>>;

export const runsLong = ({ startedAt }: Execution, now: number) =>
  startedAt != null && now - Date.parse(startedAt) > LONG_MS;

/** One entry per workflow: how often it failed, the last known cause, and whether it succeeded since. */
export function failuresOf({ failures, succeeded }: Day, workflows: readonly Workflow[]) {
  const newest = new Map<string, number>();
  for (const { id, workflowId } of succeeded.items) {
    newest.set(workflowId, Math.max(Number(id), newest.get(workflowId) ?? 0));
  }
  const names = new Map(workflows.map(({ id, name }) => [id, name]));
  return [...Map.groupBy(failures.found, ({ workflowId }) => workflowId)]
    .map(([workflow, same]) => {
      const last = same[0] as Execution;
      const known = same.find(({ id }) => failures.read.get(id)?.error) ?? last;
      const [group] = groupsOf({ ...failures, found: [known] }, names);
      const { name, node, cause = '' } = group ?? {};
      return {
        workflow,
        ...(name !== undefined && { name }),
        ...(node !== undefined && { node }),
        cause,
        count: same.length,
        last: last.startedAt ?? last.stoppedAt ?? '',
        example: known.id,
        ...((newest.get(workflow) ?? 0) > Number(last.id) && { recovered: true }),
      };
    })
    .sort((a, b) => b.count - a.count);
}

/** Notes about counts that were cut short. */
export function dayNotes({ succeeded, canceled, running, waiting, failures }: Day): string[] {
  return [
    ...cutNote('successful executions', succeeded),
    ...cutNote('canceled executions', canceled),
    ...cutNote('running executions', running),
    ...cutNote('waiting executions', waiting),
    ...cutNote('failed executions', { items: failures.found, cut: failures.cut }),
  ];
}
