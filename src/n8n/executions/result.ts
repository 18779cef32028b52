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
  status: z.string().describe('success, error, crashed, canceled; running or waiting when it goes on'),
  ms: z.number().optional(),
  last_node: z.string().optional().describe('The last node that gave out something'),
  items: z.number().optional().describe('How many items that were'),
  output: z.string().optional().describe('By which of its outputs, where it has several: "1 false"'),
  outputs: outputCounts.optional(),
  data: z.array(z.unknown()).optional().describe('Those items, shortened when long'),
  error: errorDigest.optional(),
  note: z.string().optional(),
});

export type RunResult = z.output<typeof runResult>;

/** What may be said of the data, so that the reply as a whole stays small. */
const DATA_BYTES = 1800;

/** The result of an execution, its data read anew when it has ended. */
export async function resultOf(
  client: N8nClient,
  started: Execution,
  known: KnownOutputs,
  signal: AbortSignal,
): Promise<RunResult> {
  if (!hasEnded(started)) return { ...frame(started), note: goesOn(started) };
  const execution = await existingExecution(client, started.id, true, signal);
  // One that was stopped carries an error that says so, and no more.
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
    const why = isWithheld(execution) ? 'n8n withholds the data for their size' : 'n8n kept no data of this run';
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

/** Who ends with what a node gave out should know that another one was given it, and let nothing through. */
function nothingAfter({ after }: Ending): string[] {
  return after
    .slice(0, MOST_NAMED)
    .map(
      ({ node, discarded }) =>
        `"${node}" ran after it and gave out nothing${discarded > 0 ? ` (${discarded} discarded)` : ''}.`,
    );
}

function frame({ id, status, startedAt, stoppedAt }: Execution): RunResult {
  const ms = startedAt && stoppedAt && hasEnded({ status }) ? Date.parse(stoppedAt) - Date.parse(startedAt) : undefined;
  return { execution: id, status, ...(ms !== undefined && { ms }) };
}

function goesOn({ id, status, waitTill }: Execution): string {
  const waits = status === 'waiting' ? `It waits${waitTill ? ` until ${waitTill}` : ' for an answer'}. ` : '';
  return `${waits}It goes on. n8n_get_execution { id: "${id}", wait_seconds: 60 } waits for its end, n8n_stop_execution ends it.`;
}

function unexplained({ id, status }: Execution): string {
  if (status === 'canceled') return 'It was stopped.';
  if (status === 'crashed')
    return `n8n ended while it ran, for want of memory or by a restart. The run had begun, and what it had done is done: to repeat it may act twice. n8n_get_execution { id: "${id}" } shows how far it came.`;
  return 'n8n kept nothing that says why.';
}
