import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../../n8n/client/client.ts';
import type { Execution } from '../../n8n/client/shapes.ts';
import { digestOf } from '../../n8n/executions/digest.ts';
import { endingOf } from '../../n8n/executions/ending.ts';
import { runDataOf, workflowOf } from '../../n8n/executions/run-data.ts';
import { findEnded, findRunning, type Sought } from '../../n8n/executions/sought.ts';
import { hasEnded } from '../../n8n/executions/wait.ts';
import { pause } from '../../n8n/pause.ts';
import { itemsResult, type RunFile, type RunResult, text } from './result.ts';

const STEP_MS = 150;

/** Stops the execution, and returns its id; undefined if none was found. */
export async function stopRunning(client: N8nClient, sought: Sought, signal: AbortSignal): Promise<string | undefined> {
  const found = await findRunning(client, sought, signal);
  if (!found) return undefined;
  await client.executions.stop(found.id, signal);
  return found.id;
}

export type Followed = { execution: Execution; result: RunResult } | { execution?: Execution; result?: undefined };

/**
 * Waits for the end of a run that n8n answers without a result, and reads its output. No execution: n8n kept none. An
 * execution without a result: it waits for input from outside.
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
  for (let step = STEP_MS; !hasEnded(found); step = Math.min(step * 1.5, 1500)) {
    if (found.status === 'waiting' && !found.waitTill) return { execution: found };
    await pause(step, signal);
    found = await client.executions.get(found.id, false, signal);
  }
  const execution = await client.executions.get(found.id, 'whole', signal);
  return { execution, result: resultOf(execution, place) };
}

/** The output of an execution, or why it failed. */
export function resultOf(execution: Execution, place: string): RunResult {
  if (execution.status !== 'success') {
    const why = digestOf(execution);
    const where = why?.node === undefined ? '' : ` at "${why.node}"`;
    const words = why?.message ?? `its status is ${execution.status}`;
    return { content: [text(`The workflow failed${where}: ${words}`)], isError: true };
  }
  const run = runDataOf(execution);
  if (!run || Object.keys(run.nodes).length === 0) {
    return { content: [text('The workflow ran. n8n kept no data of the run.')] };
  }
  const ending = endingOf(run, workflowOf(execution).nodes);
  // If a later node ran and returned nothing, such as a filter, these items are not the result.
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
  const note = `The files of this run (${names}) are not available through n8n's API. To get files, begin the workflow with "When Executed by Another Workflow".`;
  return { ...result, content: [...result.content, text(note)] };
}

const fileShape = z.looseObject({
  data: z.string(),
  id: z.string().optional(),
  mimeType: z.string().optional(),
  fileName: z.string().optional(),
});

/** A file whose content is in the data. With an id, n8n keeps the content elsewhere. */
function fileOf(value: unknown): RunFile[] {
  const parsed = fileShape.safeParse(value);
  if (!parsed.success || parsed.data.id !== undefined) return [];
  const { data, mimeType, fileName } = parsed.data;
  return [{ data, ...(mimeType !== undefined && { mimeType }), ...(fileName !== undefined && { name: fileName }) }];
}

/** Undefined on failure: a failed lookup must not fail a call that succeeded. */
export async function quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
