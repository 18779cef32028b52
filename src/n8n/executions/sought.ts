import { z } from 'zod';
import type { N8nClient } from '../client/client.ts';
import type { Execution } from '../client/shapes.ts';

const MOST_LIVE = 100;
const MOST_ENDED = 20;
/** n8n's clock may differ from ours. */
const SLACK_MS = 60_000;
const NEAR_MS = 2000;
const LOOK_MS = 20_000;
const live = ['running', 'waiting', 'new'] as const;

/** Which execution to find: the one that was started with this mark, or that the runner started for it. */
export interface Sought {
  readonly workflow: string;
  /** Occurs only in the input of that execution: the id of a trace. */
  readonly mark: string;
  /** When the call began, in milliseconds since 1970. */
  readonly since: number;
  /** The generated workflow that calls it. */
  readonly runner?: string;
}

/** The execution that a call started, while it runs. Undefined if n8n does not list it. */
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

/** Running executions have little data yet, so one request gets all of it. */
async function atWork(client: N8nClient, workflowId: string, signal: AbortSignal): Promise<Execution[]> {
  const pages = await Promise.all(
    live.map((status) => client.executions.page({ workflowId, status, limit: MOST_LIVE, includeData: true }, signal)),
  );
  return pages.flatMap(({ items }) => items);
}

/** The execution that a call started, after it has ended. */
export async function findEnded(
  client: N8nClient,
  sought: Sought,
  signal: AbortSignal,
): Promise<Execution | undefined> {
  const { items } = await client.executions.page({ workflowId: sought.workflow, limit: MOST_ENDED }, signal);
  return asked(client, items, sought, signal);
}

/**
 * The execution with our mark. A webhook's data contain the headers of the call. For forms and chats n8n keeps the trace
 * beside the data, and returns it only for a single execution.
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

/** The execution that called it. */
const parentOf = ({ data }: Execution) => parentShape.safeParse(data).data?.parentExecution;

/** The execution that a call started, after n8n was away: in any state, even if the runner was cut off as well. */
export async function findLost(client: N8nClient, sought: Sought, signal: AbortSignal): Promise<Execution | undefined> {
  const { workflow, runner, since } = sought;
  const calling = await asked(client, await atAll(client, runner ?? workflow, signal), sought, signal);
  if (runner === undefined) return calling;
  const called = (await atAll(client, workflow, signal)).filter((one) => parentOf(one)?.workflowId === runner);
  if (calling) return called.find((one) => parentOf(one)?.executionId === calling.id);
  // n8n keeps no execution of the runner. If it called several workflows, nobody can tell which one was ours.
  const recent = called.filter(({ startedAt }) => startedAt && Date.parse(startedAt) >= since - NEAR_MS);
  return recent.length === 1 ? recent[0] : undefined;
}

const looking = new WeakMap<N8nClient, Map<string, Promise<Execution[]>>>();

/** Many calls may be lost at once, so lookups at the same time share one request. */
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

/** Without the caller's signal, because others may share this lookup. */
async function lookAtAll(client: N8nClient, workflowId: string): Promise<Execution[]> {
  const limit = AbortSignal.timeout(LOOK_MS);
  const query = { workflowId, limit: MOST_LIVE, includeData: true };
  const [ended, working] = await Promise.all([client.executions.page(query, limit), atWork(client, workflowId, limit)]);
  return [...working, ...ended.items];
}
