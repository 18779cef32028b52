import { z } from 'zod';
import type { N8nClient } from '../client/client.ts';
import type { Execution } from '../client/shapes.ts';

const MOST_LIVE = 100;
const MOST_ENDED = 20;
/** n8n's clock may be another than ours. */
const SLACK_MS = 60_000;
const NEAR_MS = 2000;
const LOOK_MS = 20_000;
const live = ['running', 'waiting', 'new'] as const;

/** Whose execution is sought: the one that n8n was asked for with this mark, or that was called by such a one. */
export interface Sought {
  readonly workflow: string;
  /** Occurs in what that one was begun with, and in no other: a step of a trace. */
  readonly mark: string;
  /** When the call began, in milliseconds since 1970. */
  readonly since: number;
  /** The workflow that we generated to call it. */
  readonly runner?: string;
}

/** The execution that a call of ours began, while it is at work. Undefined when n8n does not show it. */
export async function findRunning(
  client: N8nClient,
  sought: Sought,
  signal: AbortSignal,
): Promise<Execution | undefined> {
  const { workflow, runner } = sought;
  const calling = await asked(client, await atWork(client, runner ?? workflow, signal), sought, signal);
  if (runner === undefined || !calling) return calling;
  return (await atWork(client, workflow, signal)).find((one) => parentOf(one)?.executionId === calling.id);
}

/** What is at work has little data yet, so that all of it comes at once. */
async function atWork(client: N8nClient, workflowId: string, signal: AbortSignal): Promise<Execution[]> {
  const pages = await Promise.all(
    live.map((status) => client.executions.page({ workflowId, status, limit: MOST_LIVE, includeData: true }, signal)),
  );
  return pages.flatMap(({ items }) => items);
}

/** The same when it has ended. */
export async function findEnded(
  client: N8nClient,
  sought: Sought,
  signal: AbortSignal,
): Promise<Execution | undefined> {
  const { items } = await client.executions.page({ workflowId: sought.workflow, limit: MOST_ENDED }, signal);
  return asked(client, items, sought, signal);
}

/**
 * Which of them we asked for. A webhook's data show the headers it was called with. Of forms and chats n8n says it beside
 * the data, and only when asked for a single one.
 */
async function asked(
  client: N8nClient,
  some: readonly Execution[],
  { mark, since }: Sought,
  signal: AbortSignal,
): Promise<Execution | undefined> {
  const recent = some.filter(({ startedAt }) => !startedAt || Date.parse(startedAt) >= since - SLACK_MS);
  const shown = recent.find((one) => carries(one, mark));
  if (shown) return shown;
  for (const { id } of recent.slice(0, MOST_ENDED)) {
    const execution = await client.executions.get(id, true, signal).catch(() => undefined);
    if (execution && carries(execution, mark)) return execution;
  }
  return undefined;
}

const carries = ({ data, tracingContext }: Execution, id: string): boolean =>
  JSON.stringify([tracingContext, data]).includes(id);

const parentShape = z.looseObject({
  parentExecution: z.looseObject({ executionId: z.coerce.string(), workflowId: z.string().optional() }),
});

/** Who called it. */
const parentOf = ({ data }: Execution) => parentShape.safeParse(data).data?.parentExecution;

/** The same after n8n was away: in whichever state, and though the one that called it was cut off as well. */
export async function findLost(client: N8nClient, sought: Sought, signal: AbortSignal): Promise<Execution | undefined> {
  const { workflow, runner, since } = sought;
  const calling = await asked(client, await atAll(client, runner ?? workflow, signal), sought, signal);
  if (runner === undefined) return calling;
  const called = (await atAll(client, workflow, signal)).filter((one) => parentOf(one)?.workflowId === runner);
  if (calling) return called.find((one) => parentOf(one)?.executionId === calling.id);
  // n8n keeps nothing of the runner. Of several that it has called nobody can tell which this one was.
  const recent = called.filter(({ startedAt }) => startedAt && Date.parse(startedAt) >= since - NEAR_MS);
  return recent.length === 1 ? recent[0] : undefined;
}

const looking = new WeakMap<N8nClient, Map<string, Promise<Execution[]>>>();

/** Many calls may have been lost at once: those that ask while another is being told hear the same. */
async function atAll(client: N8nClient, workflowId: string, signal: AbortSignal): Promise<Execution[]> {
  const mine = looking.get(client) ?? new Map<string, Promise<Execution[]>>();
  looking.set(client, mine);
  let look = mine.get(workflowId);
  if (!look) {
    look = lookAtAll(client, workflowId);
    mine.set(workflowId, look);
    const over = () => mine.delete(workflowId);
    look.then(over, over);
  }
  const found = await look;
  signal.throwIfAborted();
  return found;
}

/** Not with the caller's signal: others may have joined. */
async function lookAtAll(client: N8nClient, workflowId: string): Promise<Execution[]> {
  const limit = AbortSignal.timeout(LOOK_MS);
  const query = { workflowId, limit: MOST_LIVE, includeData: true };
  const [ended, working] = await Promise.all([client.executions.page(query, limit), atWork(client, workflowId, limit)]);
  return [...working, ...ended.items];
}
