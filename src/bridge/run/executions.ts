import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../../n8n/client/client.ts';
import type { Execution } from '../../n8n/client/shapes.ts';
import { digestOf } from '../../n8n/executions/digest.ts';
import { endingOf } from '../../n8n/executions/ending.ts';
import { runDataOf, workflowOf } from '../../n8n/executions/run-data.ts';
import { pause } from '../../n8n/pause.ts';
import { itemsResult, type RunFile, type RunResult, text } from './result.ts';

const MOST_LIVE = 100;
const MOST_ENDED = 20;
const STEP_MS = 150;
/** n8n's clock may be another than ours. */
const SLACK_MS = 60_000;
const live = ['running', 'waiting', 'new'] as const;

/** Whose execution is sought: the one that n8n was asked for with this step of a trace, or that was called by such a one. */
export interface Sought {
  readonly workflow: string;
  readonly spanId: string;
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
  return (await atWork(client, workflow, signal)).find((one) => parentOf(one) === calling.id);
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
  { spanId, since }: Sought,
  signal: AbortSignal,
): Promise<Execution | undefined> {
  const recent = some.filter(({ startedAt }) => !startedAt || Date.parse(startedAt) >= since - SLACK_MS);
  const shown = recent.find((one) => carries(one, spanId));
  if (shown) return shown;
  for (const { id } of recent.slice(0, MOST_ENDED)) {
    const execution = await client.executions.get(id, true, signal).catch(() => undefined);
    if (execution && carries(execution, spanId)) return execution;
  }
  return undefined;
}

const carries = ({ data, tracingContext }: Execution, id: string): boolean =>
  JSON.stringify([tracingContext, data]).includes(id);

const parentShape = z.looseObject({ parentExecution: z.looseObject({ executionId: z.coerce.string() }) });

function parentOf({ data }: Execution): string | undefined {
  const parsed = parentShape.safeParse(data);
  return parsed.success ? parsed.data.parentExecution.executionId : undefined;
}

/** Ends it; whether it was there to be ended. */
export async function stopRunning(client: N8nClient, sought: Sought, signal: AbortSignal): Promise<string | undefined> {
  const found = await findRunning(client, sought, signal);
  if (!found) return undefined;
  await client.executions.stop(found.id, signal);
  return found.id;
}

const ended: ReadonlySet<string> = new Set(['success', 'error', 'crashed', 'canceled']);

export type Followed = { execution: Execution; result: RunResult } | { execution?: Execution; result?: undefined };

/**
 * Waits for the end of a run that n8n did not answer for, and reads what it gave out. Without an execution nothing was
 * kept of it; one without a result waits for something that nobody here can give.
 */
export async function follow(
  client: N8nClient,
  sought: Sought,
  options: { place: string; signal: AbortSignal; appearsMs: number; onFound(execution: Execution): void },
): Promise<Followed> {
  const { signal, place } = options;
  let found: Execution | undefined;
  for (const until = Date.now() + options.appearsMs; !found; await pause(STEP_MS, signal)) {
    found = (await findRunning(client, sought, signal)) ?? (await findEnded(client, sought, signal));
    if (!found && Date.now() > until) return {};
  }
  options.onFound(found);
  for (let step = STEP_MS; !ended.has(found.status); step = Math.min(step * 1.5, 1500)) {
    if (found.status === 'waiting' && !found.waitTill) return { execution: found };
    await pause(step, signal);
    found = await client.executions.get(found.id, false, signal);
  }
  const execution = await client.executions.get(found.id, 'whole', signal);
  return { execution, result: resultOf(execution, place) };
}

/** What an execution ended with, or why it failed. */
export function resultOf(execution: Execution, place: string): RunResult {
  if (execution.status !== 'success') {
    const why = digestOf(execution);
    const where = why?.node === undefined ? '' : ` at "${why.node}"`;
    const words = why?.message ?? `it ended as ${execution.status}`;
    return { content: [text(`The workflow failed${where}: ${words}`)], isError: true };
  }
  const run = runDataOf(execution);
  if (!run || Object.keys(run.nodes).length === 0) {
    return { content: [text('The workflow ran. n8n kept no data of it.')] };
  }
  const ending = endingOf(run, workflowOf(execution).nodes);
  // What a node was given and did not let through is no result.
  const items = ending && ending.after.length === 0 ? ending.way.items : [];
  const files = items.flatMap(({ binary }) => Object.values((binary ?? {}) as Record<string, unknown>));
  const kept = files.flatMap((file) => fileOf(file));
  const result = itemsResult(
    items.map(({ json }) => json),
    kept,
    place,
  );
  if (kept.length === files.length) return result;
  const names = files.map((file) => fileShape.safeParse(file).data?.fileName ?? 'a file').join(', ');
  const note = `n8n keeps the files of this run (${names}) where its API does not reach. A workflow that begins with "When Executed by Another Workflow" hands them over.`;
  return { ...result, content: [...result.content, text(note)] };
}

const fileShape = z.looseObject({
  data: z.string(),
  id: z.string().optional(),
  mimeType: z.string().optional(),
  fileName: z.string().optional(),
});

/** A file whose content stands in the data; n8n may keep it elsewhere, and only its address there. */
function fileOf(value: unknown): RunFile[] {
  const parsed = fileShape.safeParse(value);
  if (!parsed.success || parsed.data.id !== undefined) return [];
  const { data, mimeType, fileName } = parsed.data;
  return [{ data, ...(mimeType !== undefined && { mimeType }), ...(fileName !== undefined && { name: fileName }) }];
}

/** A run that is to be looked for must not fail a call that went well. */
export async function quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
