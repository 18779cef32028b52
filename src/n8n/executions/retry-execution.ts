import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Execution } from '../client/shapes.ts';
import { n8nTool } from '../tool.ts';
import { existingWorkflow } from '../workflows/existing.ts';
import { executionInput } from './execution-input.ts';
import { newestExecution, retryOf } from './locate.ts';
import { afterLoss, begun, isLostRun, lostRun } from './lost-run.ts';
import { knownOutputs } from './outputs.ts';
import { resultOf, runResult } from './result.ts';
import { runDataOf } from './run-data.ts';
import { existingExecution, notThere, type Patience, patienceOf, ticking, untilEnded } from './wait.ts';
import { DEFAULT_SECONDS, waitInput } from './wait-input.ts';

export const retryExecution = n8nTool({
  name: 'n8n_retry_execution',
  title: 'Retry an execution',
  description:
    'Runs a failed or stopped execution again from the node where it ended, with the data it had, and waits for the end. By default it uses the workflow as it is saved now, so that a fix counts; with "original", as it was then. A successful execution cannot be retried.',
  effect: 'execute',
  phrases:
    "retry a failed execution; run a failed run again; repeat the run that crashed; continue from the node where it stopped; try again with the same data; rerun after a repair; resume a failed job; replay an execution; redo the failed run; run it again, it failed; try once more; redo a failed job; rerun from the failed node; repeat the execution; give the failed run another try; after fixing, run the failed one again; restart a failed execution; process the failed items again; give it another go; it broke because of a timeout, once more; the api is up again, run the failed one; second attempt; process it again from the failing step; finish the run that broke; pick up where it failed; try the same run again; attempt the run anew; carry on with the broken run; execute the failed one again; repeat yesterday's failed job; retry; do it over; the problem is solved, try again; reprocess; restart from the error; run the same execution again",
  tags: ['executions'],
  input: {
    id: executionInput,
    original: z.boolean().optional().describe('Use the workflow as it was when it failed'),
    wait_seconds: waitInput,
  },
  output: runResult.extend({ retry_of: z.string(), workflow: z.string().describe('Workflow id') }),
  examples: [{ title: 'After a fix', arguments: { id: '231' } }],
  async run({ id, original = false, wait_seconds = DEFAULT_SECONDS }, { client, catalogues }, { signal }, progress) {
    const patience = patienceOf(wait_seconds, signal, progress);
    const before = await existingExecution(client, id, false, signal);
    if (before.status === 'success') {
      throw new AppError(
        'conflict',
        `Execution ${id} succeeded, so there is nothing to retry. n8n_execute_workflow runs workflow ${before.workflowId} again.`,
      );
    }
    const execution = await retried(client, before, !original, patience);
    const known = knownOutputs(catalogues, client.name);
    const result = await begun(execution.id, resultOf(client, execution, known, signal));
    return { retry_of: id, workflow: before.workflowId, ...result };
  },
});

/** n8n answers only when the new run has ended. If that takes too long, finds it among the running ones. */
async function retried(
  client: N8nClient,
  { id, workflowId }: Execution,
  current: boolean,
  patience: Patience,
): Promise<Execution> {
  const { signal, until } = patience;
  const after = await newestExecution(client, workflowId, signal);
  try {
    return await ticking(`Execution ${id} runs again`, patience, () =>
      client.executions.retry(id, current, Math.max(1000, until - Date.now()), signal),
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'internal' && current) throw (await lostNodes(client, id, workflowId, signal)) ?? error;
    const sought = { id, workflowId, after };
    if (isLostRun(error)) {
      const lost = await afterLoss(patience, (limit) => retryOf(client, sought, limit));
      if (lost.state === 'found') return untilEnded(client, lost.execution.id, patience, true);
      throw lostRun(client, { called: `the retry of execution ${id}`, workflow: workflowId }, lost, error);
    }
    if (error.code !== 'timeout') throw notThere(client, id, error);
    const found = await retryOf(client, sought, signal);
    if (found) return found;
    throw error;
  }
}

/** n8n says only "Internal server error" if a node of that run was renamed or removed since. */
async function lostNodes(client: N8nClient, id: string, workflowId: string, signal: AbortSignal) {
  const [execution, { name, nodes }] = await Promise.all([
    existingExecution(client, id, true, signal),
    existingWorkflow(client, workflowId, signal),
  ]);
  const known = new Set(nodes.map((node) => node.name));
  const lost = Object.keys(runDataOf(execution)?.nodes ?? {}).filter((node) => !known.has(node));
  if (lost.length === 0) return undefined;
  const quoted = lost.slice(0, 5).map((node) => `"${node}"`);
  return new AppError(
    'conflict',
    `Execution ${id} cannot continue with "${name}" as it is saved now: it ran ${quoted.join(', ')}, renamed or removed since. With "original" it uses the workflow as it was then; n8n_execute_workflow runs the present one from its start.`,
  );
}
