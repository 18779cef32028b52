import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { Execution } from '../client/shapes.ts';
import { n8nTool } from '../tool.ts';
import { digestOf, errorDigest, nodeSummary, nodesOf } from './digest.ts';
import { DEFAULT_SECONDS, waitInput } from './wait-input.ts';
import { executionInput } from './execution-input.ts';
import { nodeData, nodeDataOf, whyNoData } from './node-data.ts';
import { knownOutputs } from './outputs.ts';
import { resultOf, runResult } from './result.ts';
import { isWithheld, runDataOf, workflowOf } from './run-data.ts';
import { existingExecution, hasEnded, patienceOf, untilEnded } from './wait.ts';

/** Keeps the reply below 8 KB: it contains the data twice, as text and as structured content. */
const DATA_BYTES = 2500;

export const getExecution = n8nTool({
  name: 'n8n_get_execution',
  aliases: { n8n_wait_execution: (given) => ({ wait_seconds: DEFAULT_SECONDS, ...given }) },
  title: 'Get an execution',
  description:
    'Shows one execution: state, times, which nodes ran with how many items each, and, if it failed, where and why with the input of that node. "node" shows the data of that node instead. "wait_seconds" waits for the end and shows the output of the last node. Long data are shortened; "limit", "offset" and "max_kb" show more.',
  effect: 'read',
  phrases:
    "show one execution; what happened in this run; look into a run; details of an execution; output data of a node in a run; why did this execution fail; where did the run stop; input and output of each node; result of a past run; inspect a failed run; which data went through; error message of an execution; debug a run; what did the run do; see the data of a run; show the result of an execution; why did this particular run fail; which node crashed; what came out of the node; what input did the failing node get; open a past run; error details of a run; inspect execution 123; how many items did each node return; what went through this node; what did a node return in the last execution; stack trace of an execution; inspect run 17; what was the input when it failed; why did run 55 break; see what came in and out; show the json that passed; how long did each node take; look at yesterday's failed run; which branch did it take; what answer did the api give in that run; open execution; full error of a run; walk me through a run; what payload arrived at the node; exact error text; what happened during execution; show run data; analyse a run; what did it produce; see the items of a node; in which node did it stop; what was sent; debug execution; output of the last run; tell me about this execution; why was the result wrong; wait until a run is finished; tell me when it is done; wait for an execution; progress of a running execution; block until it completes; is it finished yet; follow a long run; poll until the job ends; result when it is ready; let me know when the run ends; wait for the result; is the job done; keep an eye on the running execution; hold until the workflow has finished; how far is it; watch the run until the end; wait for completion; progress of the run; come back to me once the run is through; has it finished, if not stay on it; wait for it; how is the run going; report when done; stay until it ends; monitor a long job; when will it be ready; await the outcome; is the execution over; notify me as soon as the run is over; wait till done; stay with the run; result as soon as it is there; keep waiting for the job; until it has ended; check back until finished; wait for the workflow to finish; follow the execution",
  tags: ['executions'],
  input: {
    id: executionInput,
    wait_seconds: waitInput.describe(
      'Seconds to wait for its end, with progress; returns earlier if the execution itself waits for a later time or an answer',
    ),
    node: z.string().min(1).max(200).optional().describe('Show the output of this node'),
    side: z.enum(['output', 'input']).optional().describe('Or its input'),
    run: z.int().min(0).optional().describe('Which of its runs, from 0. Default: the last'),
    output: z
      .int()
      .min(0)
      .optional()
      .describe('Which of its outputs (or inputs), from 0. Default: the first with items'),
    offset: z.int().min(0).optional().describe('Items to skip'),
    limit: z.int().min(1).max(1000).optional().describe('At most this many'),
    max_kb: z.int().min(1).max(500).optional().describe('Room for data in KB. Default: a short answer'),
  },
  output: z.object({
    id: z.string(),
    workflow: z.object({ id: z.string(), name: z.string().optional(), version: z.string().optional() }),
    status: z.string(),
    mode: z.string().optional(),
    started: z.string().optional(),
    stopped: z.string().optional(),
    ms: z.number().optional(),
    wait_till: z.string().optional(),
    retry_of: z.string().optional(),
    retried_by: z.string().optional(),
    error: errorDigest.optional(),
    nodes: z.array(nodeSummary).optional().describe('In the order they ran'),
    more_nodes: z.number().optional(),
    node: nodeData.optional(),
    ...runResult.pick({ last_node: true, items: true, output: true, outputs: true, data: true }).shape,
    note: z.string().optional(),
  }),
  examples: [
    { title: 'Why did it fail', arguments: { id: '231' } },
    { title: 'Output of one node', arguments: { id: '231', node: 'HTTP Request', limit: 5 } },
    { title: 'Wait at most five minutes for its end', arguments: { id: '231', wait_seconds: 300 } },
  ],
  async run({ id, wait_seconds, node, max_kb, ...asked }, { client, catalogues }, { signal }, progress) {
    const known = knownOutputs(catalogues, client.name);
    if (wait_seconds !== undefined) {
      const waited = await untilEnded(client, id, patienceOf(wait_seconds, signal, progress));
      if (node === undefined) {
        const { execution: _, ...result } = await resultOf(client, waited, known, signal);
        return { ...headOf(waited), ...result };
      }
    }
    let execution = await existingExecution(client, id, true, signal);
    // n8n withholds large data unless asked for all of it. The reply shows only the data of this node.
    if (isWithheld(execution) && node !== undefined) execution = await existingExecution(client, id, 'whole', signal);
    const head = headOf(execution);
    if (node !== undefined) {
      const bytes = max_kb === undefined ? DATA_BYTES : max_kb * 1024;
      return { ...head, node: nodeDataOf(execution, node, asked, known, bytes) };
    }
    const error = digestOf(execution, known);
    const nodes = nodesOf(execution, known);
    const kept = fittingItems(nodes, { ...head, error });
    return {
      ...head,
      ...(error && { error }),
      ...(nodes.length > 0 && { nodes: nodes.slice(0, kept) }),
      ...(kept < nodes.length && { more_nodes: nodes.length - kept }),
      ...noteFor(execution),
    };
  },
});

function headOf(execution: Execution) {
  const { id, workflowId, status, mode, startedAt, stoppedAt, waitTill, retryOf, retrySuccessId } = execution;
  const { name } = workflowOf(execution);
  const version = execution.workflowVersionId;
  return {
    id,
    workflow: {
      id: workflowId,
      ...(name !== undefined && { name }),
      ...(typeof version === 'string' && { version }),
    },
    status,
    ...(mode !== undefined && { mode }),
    ...(startedAt && { started: startedAt }),
    ...(stoppedAt && hasEnded(execution) && { stopped: stoppedAt }),
    ...(startedAt && stoppedAt && hasEnded(execution) && { ms: Date.parse(stoppedAt) - Date.parse(startedAt) }),
    ...(waitTill && { wait_till: waitTill }),
    ...(retryOf && { retry_of: retryOf }),
    ...(retrySuccessId && { retried_by: retrySuccessId }),
  };
}

function noteFor(execution: Execution): { note?: string } {
  if (isWithheld(execution)) {
    return {
      note: 'n8n withholds the data of this execution because of their size. "node" shows the data of one node.',
    };
  }
  const run = runDataOf(execution);
  return run && Object.keys(run.nodes).length > 0 ? {} : { note: `No data: ${whyNoData(execution)}` };
}
