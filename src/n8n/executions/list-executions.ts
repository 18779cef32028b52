import { z } from 'zod';
import { momentOf } from '../../kernel/moment.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { Execution } from '../client/shapes.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { n8nTool } from '../tool.ts';
import { idInput } from '../workflows/id-input.ts';
import { hasEnded } from './wait.ts';
import { workflowNames } from './workflow-names.ts';

const NAME = 'n8n_list_executions';
const statuses = ['success', 'error', 'running', 'waiting', 'canceled', 'crashed', 'new', 'unknown'] as const;
const USUAL = 20;
const MOST_RUNNING = 100;

const listed = z.object({
  id: z.string(),
  workflow: z.string().describe('Workflow id'),
  name: z.string().optional().describe('Workflow name'),
  status: z.string(),
  mode: z
    .string()
    .optional()
    .describe('How it started: webhook, manual, trigger, retry, integrated (by another workflow)'),
  started: z.string().optional(),
  ms: z.number().optional(),
  wait_till: z.string().optional(),
  retry_of: z.string().optional(),
  retried_by: z.string().optional().describe('The retry that succeeded'),
});

export const listExecutions = n8nTool({
  name: NAME,
  title: 'List executions',
  description:
    'Lists executions, newest first, running ones before all others. Filter by workflow, status and time. n8n_list_failures groups what failed and why; n8n_get_execution shows one execution.',
  effect: 'read',
  phrases:
    'list executions; show recent runs; what is running right now; history of runs; did it run today; when did it last run; which jobs are still running or waiting; last runs of a workflow; run log; successful executions; executions of yesterday; did the schedule fire; how often did it run; queue of running executions; show the last executions; is anything running at the moment; what ran today; has it been executed; how long did the runs take; when was the workflow last run; list failed runs; list successful runs; execution history; did my automation start last night; runs that wait; execution log; status of recent jobs; latest run; has the nightly import been through; which jobs are in progress; last 20 runs; was it executed; show me runs of a workflow; what has run since midnight; is a job still going; latest activity of a workflow; which runs succeeded; did the timer go off; when was it started; past runs; currently active runs; run times; what is being processed; did the job succeed; recent activity of a flow; show runs; was there a run this morning; waiting executions; log of executions; which runs were there; finished and unfinished runs; what is it doing now; jobs of today; see past executions; how did the last runs go; is my workflow running',
  tags: ['executions'],
  input: {
    workflow: idInput.optional().describe('Only runs of the workflow with this id'),
    status: z.enum(statuses).optional().describe('Only in this state. Default: all, running ones first'),
    since: z.string().max(40).optional().describe('Started after: ISO time, or how long ago: 15m, 2h, 7d'),
    until: z.string().max(40).optional().describe('Started before, like since'),
    project: z.string().optional().describe('Project id'),
    limit: z.int().min(1).max(250).optional().describe('Maximum per page. Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer, with the same filters'),
  },
  output: z.object({ executions: z.array(listed), cursor: z.string().optional().describe('There are more') }),
  examples: [
    { title: 'Running now', arguments: { status: 'running' } },
    { title: 'What failed today', arguments: { status: 'error', since: '24h' } },
  ],
  async run({ workflow, status, since, until, project, limit, cursor }, { client }, { signal }) {
    const asked = { instance: client.name, workflow, status, since, until, project };
    const place = placeIn(NAME, asked, cursor);
    const filter = {
      ...(workflow !== undefined && { workflowId: workflow }),
      ...(project !== undefined && { projectId: project }),
      ...(since !== undefined && { startedAfter: momentOf(since).toISOString() }),
      ...(until !== undefined && { startedBefore: momentOf(until).toISOString() }),
    };
    const size = limit ?? USUAL;
    // Without a status n8n leaves out running executions, so they are put at the top of the first page.
    const runs = status === undefined && cursor === undefined;
    const [running, page] = await Promise.all([
      runs ? client.executions.page({ ...filter, status: 'running', limit: MOST_RUNNING }, signal) : { items: [] },
      client.executions.page(
        {
          ...filter,
          ...(status !== undefined && { status }),
          // Read as many more as the previous answer has already shown of this page.
          limit: Math.min(250, size + place.skip),
          ...(place.next !== undefined && { cursor: place.next }),
        },
        signal,
      ),
    ]);
    const found = [...running.items, ...page.items.slice(place.skip)].slice(0, size);
    const names = await workflowNames(client, new Set(found.map((one) => one.workflowId)), signal);
    const rows = found.map((execution) => rowOf(execution, names.get(execution.workflowId)));
    const kept = limit === undefined ? fittingItems(rows, { cursor: 'x'.repeat(120) }) : rows.length;
    // The running ones are not part of n8n's page.
    const shown = Math.max(0, kept - running.items.length) + place.skip;
    const whole = shown >= page.items.length;
    const next = whole ? page.cursor : place.next;
    const more = whole ? page.cursor !== undefined : true;
    return {
      executions: rows.slice(0, kept),
      ...(more && { cursor: cursorFor(NAME, asked, { skip: whole ? 0 : shown, ...(next !== undefined && { next }) }) }),
    };
  },
});

function rowOf(execution: Execution, name: string | undefined): z.output<typeof listed> {
  const { id, workflowId, status, mode, startedAt, stoppedAt, waitTill, retryOf, retrySuccessId } = execution;
  return {
    id,
    workflow: workflowId,
    ...(name !== undefined && { name }),
    status,
    ...(mode !== undefined && { mode }),
    ...(startedAt && { started: startedAt }),
    ...(startedAt && stoppedAt && hasEnded(execution) && { ms: Date.parse(stoppedAt) - Date.parse(startedAt) }),
    ...(waitTill && { wait_till: waitTill }),
    ...(retryOf && { retry_of: retryOf }),
    ...(retrySuccessId && { retried_by: retrySuccessId }),
  };
}
