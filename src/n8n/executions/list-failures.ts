import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { momentOf } from '../../kernel/moment.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { N8nClient } from '../client/client.ts';
import type { Execution } from '../client/shapes.ts';
import { sameArguments } from '../../kernel/tool.ts';
import { n8nTool } from '../tool.ts';
import { idInput } from '../workflows/id-input.ts';
import { digestOf, type ErrorDigest } from './digest.ts';
import { type Failure, type FailureGroup, groupFailures } from './failure-groups.ts';
import { workflowOf } from './run-data.ts';
import { workflowNames } from './workflow-names.ts';

const AT_ONCE = 6;

/** Limits how much n8n is asked. */
export interface FailureBounds {
  readonly counted: number;
  /** How many executions are read in full: in total and of one workflow. */
  readonly read: number;
  readonly readOfOne: number;
  readonly readMs: number;
}

const usual: FailureBounds = { counted: 2000, read: 150, readOfOne: 25, readMs: 15_000 };
const MOST_REMEMBERED = 5000;

export const listFailures = n8nTool({
  name: 'n8n_list_failures',
  aliases: { n8n_failures: sameArguments },
  title: 'List failures',
  description:
    'Lists what failed in a period, grouped by workflow, node and cause, most frequent first, each group with its newest example. Start here; n8n_get_execution { id: example } shows one failure in full.',
  effect: 'read',
  phrases:
    'why did it fail; what went wrong; what failed last night; errors of the last day; which workflows are failing; most frequent errors; why is my automation not working; problems grouped by cause; what is broken; error report; show failed executions and reasons; is anything failing; troubleshoot; what keeps crashing; failure summary; what is failing and why; errors since yesterday; any failed workflows this week; why does it keep failing; which node causes the errors; summarise the failures; something is broken, find out what; what problems did my automations have; why did my workflow not work last night; most common cause of failure; overview of errors; how many runs failed; is there something that keeps dying; what was the trouble during the weekend; top reasons for failed runs; i got an error message, what is up; has anything gone wrong; why is nothing arriving; which automation is unreliable; list of problems; what crashed; diagnose my automations; what errors are there; incidents of the last 24 hours; why did nothing happen this morning; something does not work; did anything blow up; reasons why runs crash; what should i worry about; which automations had trouble; show errors; anything wrong lately; why do my workflows fail; problem analysis; error statistics; find the culprit; what is not working; list the errors of today; are there failing workflows; what broke; root cause; what goes wrong again and again',
  tags: ['executions', 'monitoring'],
  input: {
    since: z.string().max(40).optional().describe('ISO time, or how long ago: 15m, 24h, 7d. Default: 24h'),
    until: z.string().max(40).optional().describe('Like since. Default: now'),
    workflow: idInput.optional().describe('Only runs of the workflow with this id'),
    limit: z.int().min(1).max(200).optional().describe('Maximum groups. Default: what fits into 8 KB'),
  },
  output: z.object({
    since: z.string(),
    until: z.string(),
    failed: z.number().describe('Executions that failed'),
    groups: z.array(
      z.object({
        workflow: z.string().describe('Workflow id'),
        name: z.string().optional(),
        node: z.string().optional(),
        type: z.string().optional(),
        cause: z.string(),
        http_status: z.string().optional(),
        count: z.number(),
        first: z.string(),
        last: z.string(),
        example: z.string().describe('Id of the newest execution'),
      }),
    ),
    more: z.number().optional().describe('Groups not shown: raise limit, or ask for one workflow'),
    note: z.string().optional(),
  }),
  examples: [
    { title: 'The last day', arguments: {} },
    { title: 'One workflow this week', arguments: { workflow: 'r4tKq0uX2b', since: '7d' } },
  ],
  async run({ since = '24h', until, workflow, limit }, { client }, { signal }, progress) {
    const period = { since: momentOf(since), until: until === undefined ? new Date() : momentOf(until) };
    if (period.since >= period.until) throw new AppError('invalid_input', 'since must be before until.');
    const gathered = await gatherFailures(client, { workflow, ...period }, usual, signal, (done, total) =>
      progress(done, total, 'Reading failures'),
    );
    const { found, cut, left } = gathered;
    const unread = found.filter(({ id }) => !gathered.read.has(id)).map((one) => one.workflowId);
    const groups = groupsOf(gathered, await workflowNames(client, unread.slice(0, 50), signal));
    const notes = [
      ...(cut ? [`Only the newest ${found.length} were counted: ask for a shorter period.`] : []),
      ...(left > 0 ? [`${left} were counted but not read: ask for one workflow or a shorter period.`] : []),
    ];
    const frame = {
      since: period.since.toISOString(),
      until: period.until.toISOString(),
      failed: found.length,
      ...(notes.length > 0 && { note: notes.join(' ') }),
    };
    const kept = limit ?? fittingItems(groups, frame);
    return { ...frame, groups: groups.slice(0, kept), ...(groups.length > kept && { more: groups.length - kept }) };
  },
});

interface Question {
  readonly workflow?: string | undefined;
  readonly since: Date;
  readonly until: Date;
}

interface Gathered {
  /** The newest first. */
  readonly found: readonly Execution[];
  /** There are more than were counted. */
  readonly cut: boolean;
  readonly read: ReadonlyMap<string, Read>;
  /** Counted, but not read. */
  readonly left: number;
}

/** What failed in a period, with the reasons of those that were read. */
export async function gatherFailures(
  client: N8nClient,
  question: Question,
  bounds: FailureBounds,
  signal: AbortSignal,
  tell: (done: number, total: number) => void = () => {},
): Promise<Gathered> {
  const { found, cut } = await listFailed(client, question, bounds.counted, signal);
  return { found, cut, ...(await readSome(client, found, bounds, signal, tell)) };
}

/** Groups by workflow, node and cause. `names` are for workflows whose executions were not read. */
export function groupsOf({ found, read }: Gathered, names: ReadonlyMap<string, string>): FailureGroup[] {
  return groupFailures(
    found.map((execution): Failure => {
      const known = read.get(execution.id);
      return {
        id: execution.id,
        workflow: execution.workflowId,
        name: known?.name ?? names.get(execution.workflowId),
        at: execution.startedAt ?? execution.stoppedAt ?? '',
        error: known?.error,
        crashed: execution.status === 'crashed',
      };
    }),
  );
}

async function listFailed(
  client: N8nClient,
  { workflow, since, until }: Question,
  most: number,
  signal: AbortSignal,
): Promise<{ found: Execution[]; cut: boolean }> {
  const filter = {
    ...(workflow !== undefined && { workflowId: workflow }),
    startedAfter: since.toISOString(),
    startedBefore: until.toISOString(),
  };
  const found: Execution[] = [];
  for (const status of ['error', 'crashed']) {
    for await (const execution of client.executions.all({ ...filter, status }, signal)) {
      if (found.length >= most) return { found, cut: true };
      found.push(execution);
    }
  }
  return { found: found.sort((a, b) => Number(b.id) - Number(a.id)), cut: false };
}

interface Read {
  readonly name?: string;
  readonly error?: ErrorDigest;
}

/** A failed execution no longer changes, so each is read only once. */
const remembered = new WeakMap<N8nClient, Map<string, Read>>();

/** Reads the newest, but not only those of one workflow. Limited in number and time. */
async function readSome(
  client: N8nClient,
  found: readonly Execution[],
  bounds: FailureBounds,
  signal: AbortSignal,
  tell: (done: number, total: number) => void,
) {
  let memory = remembered.get(client);
  if (!memory) remembered.set(client, (memory = new Map()));
  if (memory.size > MOST_REMEMBERED) memory.clear();
  const read = new Map<string, Read>();
  const perWorkflow = new Map<string, number>();
  const wanted: Execution[] = [];
  for (const execution of found) {
    const known = memory.get(execution.id);
    if (known) read.set(execution.id, known);
    const already = perWorkflow.get(execution.workflowId) ?? 0;
    if (known || already >= bounds.readOfOne || wanted.length >= bounds.read) continue;
    perWorkflow.set(execution.workflowId, already + 1);
    wanted.push(execution);
  }
  const total = wanted.length;
  const end = Date.now() + bounds.readMs;
  const queue = wanted.values();
  const work = async (): Promise<void> => {
    for (const { id } of queue) {
      if (Date.now() > end) return;
      const execution = await client.executions.get(id, true, signal).catch((error: unknown) => {
        // It may have been pruned since it was listed.
        if (error instanceof AppError && error.code === 'not_found') return undefined;
        throw error;
      });
      if (!execution) continue;
      const { name } = workflowOf(execution);
      const { input: _, ...error } = digestOf(execution) ?? { message: '' };
      const known = { ...(name !== undefined && { name }), ...(error.message !== '' && { error }) };
      memory.set(id, known);
      read.set(id, known);
      if (read.size % 10 === 0) tell(read.size, total);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { read, left: found.length - read.size };
}
