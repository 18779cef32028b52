import { z } from 'zod';
import type { N8nClient } from '../client/client.ts';
import type { Execution } from '../client/shapes.ts';
import { digestOf, errorDigest, outputCounts } from './digest.ts';
import { type Ending, endingOf } from './ending.ts';
import { countsOf, type KnownOutputs, labelOf } from './outputs.ts';
import { isWithheld, runDataOf, workflowOf } from './run-data.ts';
import { showItems } from './shorten.ts';
import { existingExecution, hasEnded } from './wait.ts';

/** How a run ended. */
export const runResult = z.object({
  execution: z.string().optional().describe('Its id, for n8n_get_execution'),
  status: z.string().describe('success, error, crashed, canceled; running or waiting if it has not ended'),
  ms: z.number().optional(),
  last_node: z.string().optional().describe('The last node with output'),
  items: z.number().optional().describe('How many items it has'),
  output: z.string().optional().describe('Which of its outputs, if it has several: "1 false"'),
  outputs: outputCounts.optional(),
  data: z.array(z.unknown()).optional().describe('Those items, shortened if long'),
  error: errorDigest.optional(),
  note: z.string().optional(),
});

export type RunResult = z.output<typeof runResult>;

/** Room for data, so that the whole reply stays small. */
const DATA_BYTES = 1800;

/** The result of an execution. Reads its data if it has ended. */
export async function resultOf(
  client: N8nClient,
  started: Execution,
  known: KnownOutputs,
  signal: AbortSignal,
): Promise<RunResult> {
  if (!hasEnded(started)) return { ...frame(started), note: goesOn(started) };
  const execution = await existingExecution(client, started.id, true, signal);
  // The error of a stopped execution says only that it was stopped.
  const error = execution.status === 'canceled' ? undefined : digestOf(execution, known);
  if (execution.status !== 'success') {
    return {
      ...frame(execution),
      ...(error && { error, ...(error.node !== undefined && { last_node: error.node }) }),
      ...((!error || execution.status === 'crashed') && { note: unexplained(execution) }),
    };
  }
  return { ...frame(execution), ...lastData(execution, known) };
}

function lastData(execution: Execution, known: KnownOutputs): Partial<RunResult> {
  const run = runDataOf(execution);
  if (!run || Object.keys(run.nodes).length === 0) {
    const why = isWithheld(execution) ? 'n8n withholds the data because of their size' : 'n8n kept no data of this run';
    return { note: `${why}.` };
  }
  const ending = endingOf(run, workflowOf(execution).nodes, known);
  if (!ending) return { ...(run.last !== undefined && { last_node: run.last }), items: 0, data: [] };
  const { node, outputs, way } = ending;
  const counts = countsOf(outputs);
  const shown = showItems(way.items, DATA_BYTES);
  const more = `, node: ${JSON.stringify(node)}${way.index > 0 ? `, output: ${way.index}` : ''}, max_kb: 100`;
  const notes = [
    ...nothingAfter(ending),
    ...(shown.cut ? [`Shortened. n8n_get_execution { id: "${execution.id}"${more} } shows more.`] : []),
  ];
  return {
    last_node: node,
    items: shown.total,
    ...(counts && { output: labelOf(way), outputs: counts }),
    data: shown.items,
    ...(notes.length > 0 && { note: notes.join(' ') }),
  };
}

const MOST_NAMED = 3;

/** Names the nodes that got this output and let nothing through. */
function nothingAfter({ after }: Ending): string[] {
  return after
    .slice(0, MOST_NAMED)
    .map(
      ({ node, discarded }) =>
        `"${node}" ran after it and had no output${discarded > 0 ? ` (${discarded} discarded)` : ''}.`,
    );
}

function frame({ id, status, startedAt, stoppedAt }: Execution): RunResult {
  const ms = startedAt && stoppedAt && hasEnded({ status }) ? Date.parse(stoppedAt) - Date.parse(startedAt) : undefined;
  return { execution: id, status, ...(ms !== undefined && { ms }) };
}

function goesOn({ id, status, waitTill }: Execution): string {
  const waits = status === 'waiting' ? `It waits${waitTill ? ` until ${waitTill}` : ' for an answer'}. ` : '';
  return `${waits}It has not ended. n8n_get_execution { id: "${id}", wait_seconds: 60 } waits for its end, n8n_stop_execution stops it.`;
}

function unexplained({ id, status }: Execution): string {
  if (status === 'canceled') return 'It was stopped.';
  if (status === 'crashed')
    return `n8n stopped while it ran: it was out of memory or restarted. The run had started, and what it did is done: repeating it may act twice. n8n_get_execution { id: "${id}" } shows how far it got.`;
  return 'n8n kept no reason.';
}
