import { z } from 'zod';
import type { N8nClient } from '../client/client.ts';
import type { Execution } from '../client/shapes.ts';
import { digestOf, errorDigest } from './digest.ts';
import { isWithheld, outputOf, runDataOf } from './run-data.ts';
import { showItems } from './shorten.ts';
import { existingExecution, hasEnded } from './wait.ts';
import { own } from '../../kernel/own.ts';

/** How a run ended. */
export const runResult = z.object({
  execution: z.string().optional().describe('Its id, for n8n_get_execution'),
  status: z.string().describe('success, error, crashed, canceled; running or waiting when it goes on'),
  ms: z.number().optional(),
  last_node: z.string().optional().describe('The node that ran last'),
  items: z.number().optional().describe('How many items that node gave out'),
  data: z.array(z.unknown()).optional().describe('Those items, shortened when long'),
  error: errorDigest.optional(),
  note: z.string().optional(),
});

export type RunResult = z.output<typeof runResult>;

/** What may be said of the data, so that the reply as a whole stays small. */
const DATA_BYTES = 1800;

/** The result of an execution, its data read anew when it has ended. */
export async function resultOf(client: N8nClient, known: Execution, signal: AbortSignal): Promise<RunResult> {
  if (!hasEnded(known)) return { ...frame(known), note: goesOn(known) };
  const execution = await existingExecution(client, known.id, true, signal);
  // One that was stopped carries an error that says so, and no more.
  const error = execution.status === 'canceled' ? undefined : digestOf(execution);
  if (execution.status !== 'success') {
    return {
      ...frame(execution),
      ...(error
        ? { error, ...(error.node !== undefined && { last_node: error.node }) }
        : { note: unexplained(execution) }),
    };
  }
  return { ...frame(execution), ...lastData(execution) };
}

function lastData(execution: Execution): Partial<RunResult> {
  const run = runDataOf(execution);
  const ran = run?.last === undefined ? undefined : own(run.nodes, run.last)?.at(-1);
  if (!run?.last || !ran) {
    const why = isWithheld(execution) ? 'n8n withholds the data for their size' : 'n8n kept no data of this run';
    return { note: `${why}.` };
  }
  const shown = showItems(outputOf(ran), DATA_BYTES);
  return {
    last_node: run.last,
    items: shown.total,
    data: shown.items,
    ...(shown.cut && {
      note: `Shortened. n8n_get_execution { id: "${execution.id}", node: ${JSON.stringify(run.last)}, max_kb: 100 } shows more.`,
    }),
  };
}

function frame({ id, status, startedAt, stoppedAt }: Execution): RunResult {
  const ms = startedAt && stoppedAt && hasEnded({ status }) ? Date.parse(stoppedAt) - Date.parse(startedAt) : undefined;
  return { execution: id, status, ...(ms !== undefined && { ms }) };
}

function goesOn({ id, status, waitTill }: Execution): string {
  const waits = status === 'waiting' ? `It waits${waitTill ? ` until ${waitTill}` : ' for an answer'}. ` : '';
  return `${waits}It goes on. n8n_wait_execution { id: "${id}" } waits for its end, n8n_stop_execution ends it.`;
}

function unexplained({ status }: Execution): string {
  if (status === 'canceled') return 'It was stopped.';
  if (status === 'crashed') return 'n8n ended while it ran, for want of memory or by a restart.';
  return 'n8n kept nothing that says why.';
}
