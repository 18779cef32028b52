import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { nearestNames } from '../../kernel/nearest-names.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { Execution } from '../client/shapes.ts';
import { instanceInput } from '../instances.ts';
import { n8nTool } from '../tool.ts';
import { digestOf, errorDigest, nodeSummary, nodesOf, outputCounts } from './digest.ts';
import { executionInput } from './execution-input.ts';
import { countsOf, type KnownOutputs, knownOutputs, labelOf, mainWay, type Output, outputsOf } from './outputs.ts';
import { isWithheld, type NodeRun, type RanNode, type RunData, runDataOf, sourcesOf, workflowOf } from './run-data.ts';
import { showItems } from './shorten.ts';
import { existingExecution, hasEnded } from './wait.ts';
import { own } from '../../kernel/own.ts';

/** With what stands around it, and said twice, this stays below 8 KB. */
const DATA_BYTES = 2500;

export const getExecution = n8nTool({
  name: 'n8n_get_execution',
  title: 'Get an execution',
  description:
    'Shows one execution: state, times, the nodes that ran with how many items each gave out, and, when it failed, where and why with the input of that node. With "node", the data of that node instead. Long data are shortened; "limit", "offset" and "max_kb" show more.',
  effect: 'read',
  scope: 'n8n:read',
  category: 'n8n',
  tags: ['executions'],
  input: z.strictObject({
    instance: instanceInput,
    id: executionInput,
    node: z.string().min(1).max(200).optional().describe('Show what this node gave out'),
    side: z.enum(['output', 'input']).optional().describe('Or what went into it'),
    run: z.int().min(0).optional().describe('Which of its runs, from 0; the last unless told'),
    output: z
      .int()
      .min(0)
      .optional()
      .describe('Which of its outputs, from 0; the first that items left by unless told'),
    offset: z.int().min(0).optional().describe('Skip so many items'),
    limit: z.int().min(1).max(1000).optional().describe('At most so many items'),
    max_kb: z
      .int()
      .min(1)
      .max(500)
      .optional()
      .describe('Room for data in KB; without it what fits into a short answer'),
  }),
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
    node: z
      .object({
        name: z.string(),
        side: z.enum(['output', 'input']),
        run: z.number(),
        runs: z.number(),
        from: z.string().optional().describe('Of an input: the node it came from'),
        output: z.string().optional().describe('The output these items left by, where there are several: "1 false"'),
        outputs: outputCounts.optional(),
        total: z.number().describe('Items there are'),
        offset: z.number(),
        items: z.array(z.unknown()),
        cut: z.boolean().optional().describe('Not all is shown: raise max_kb, or go on with offset'),
      })
      .optional(),
    note: z.string().optional(),
  }),
  examples: [
    { title: 'Why did it fail', arguments: { id: '231' } },
    { title: 'What one node gave out', arguments: { id: '231', node: 'HTTP Request', limit: 5 } },
  ],
  async run({ instance, id, node, max_kb, ...asked }, { instances, catalogues }, { signal }) {
    const client = instances.get(instance);
    const known = knownOutputs(catalogues, client.name);
    let execution = await existingExecution(client, id, true, signal);
    // n8n withholds much data at once; who asks for one node gets only that from us.
    if (isWithheld(execution) && node !== undefined) execution = await existingExecution(client, id, 'whole', signal);
    const head = headOf(execution);
    if (node !== undefined) {
      const bytes = max_kb === undefined ? DATA_BYTES : max_kb * 1024;
      return { ...head, node: dataOf(execution, node, asked, known, bytes) };
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

interface Wanted {
  side?: 'output' | 'input' | undefined;
  run?: number | undefined;
  output?: number | undefined;
  offset?: number | undefined;
  limit?: number | undefined;
}

function dataOf(
  execution: Execution,
  name: string,
  { side = 'output', run: index, output, offset = 0, limit }: Wanted,
  known: KnownOutputs,
  bytes: number,
) {
  const data = runDataOf(execution);
  const runs = data && own(data.nodes, name);
  if (!data || !runs || runs.length === 0) throw noData(execution, name, Object.keys(data?.nodes ?? {}));
  const run = index ?? runs.length - 1;
  const ran = runs[run];
  if (!ran) throw new AppError('not_found', `${name} ran ${runs.length} times: run is 0 to ${runs.length - 1}.`);
  const { nodes } = workflowOf(execution);
  const { from, outputs, way } =
    side === 'input'
      ? inputOf(data, ran, nodes, known)
      : { from: undefined, ...outputOf(name, outputsOf(ran, nodes.get(name), known), output) };
  const counts = countsOf(outputs);
  const shown = showItems(way?.items ?? [], bytes, { offset, ...(limit !== undefined && { limit }) });
  return {
    name,
    side,
    run,
    runs: runs.length,
    ...(from !== undefined && { from }),
    ...(counts && way && { output: labelOf(way) }),
    ...(counts && side === 'output' && { outputs: counts }),
    total: shown.total,
    offset,
    items: shown.items,
    ...(shown.cut && { cut: true }),
  };
}

interface Side {
  readonly from?: string;
  readonly outputs: readonly Output[];
  readonly way: Output | undefined;
}

/** What went into the first input of a node: what left the node before it by the output that leads there. */
function inputOf(data: RunData, ran: NodeRun, nodes: ReadonlyMap<string, RanNode>, known: KnownOutputs): Side {
  const [source] = sourcesOf(data, ran);
  if (!source) return { outputs: [], way: undefined };
  const outputs = outputsOf(source.run, nodes.get(source.node), known);
  return { from: source.node, outputs, way: outputs[source.output] };
}

function outputOf(name: string, outputs: readonly Output[], wanted: number | undefined): Side {
  if (wanted === undefined) return { outputs, way: mainWay(outputs) };
  const way = outputs[wanted];
  if (way || outputs.length === 0) return { outputs, way };
  throw new AppError(
    'not_found',
    `${name} has no output ${wanted}. It gave out by: ${outputs.map(labelOf).join(', ')}.`,
  );
}

function noData(execution: Execution, name: string, ran: readonly string[]): AppError {
  const { nodes } = workflowOf(execution);
  if (ran.length === 0) {
    return new AppError(
      'not_found',
      `n8n has no data of execution ${execution.id}${hasEnded(execution) ? '' : ' yet'}: ${whyNone(execution)}`,
    );
  }
  const near = nearestNames(name, ran);
  const meant = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `These ran: ${ran.slice(0, 20).join(', ')}.`;
  const what = nodes.has(name) ? 'did not run' : 'is not in the workflow';
  return new AppError('not_found', `${name.slice(0, 100)} ${what} in execution ${execution.id}. ${meant}`);
}

function noteFor(execution: Execution): { note?: string } {
  if (isWithheld(execution)) {
    return { note: 'n8n withholds the data of this execution for their size; "node" shows those of one node.' };
  }
  const run = runDataOf(execution);
  return run && Object.keys(run.nodes).length > 0 ? {} : { note: `No data: ${whyNone(execution)}` };
}

function whyNone(execution: Execution): string {
  return hasEnded(execution)
    ? 'the settings of the workflow, or of n8n, say that they are not kept.'
    : 'n8n writes them down when it ends (or, with "save execution progress", after each node).';
}
