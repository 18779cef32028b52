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

/** Ends it; whether it was there to be ended. */
export async function stopRunning(client: N8nClient, sought: Sought, signal: AbortSignal): Promise<string | undefined> {
  const found = await findRunning(client, sought, signal);
  if (!found) return undefined;
  await client.executions.stop(found.id, signal);
  return found.id;
}

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
  for (let step = STEP_MS; !hasEnded(found); step = Math.min(step * 1.5, 1500)) {
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
