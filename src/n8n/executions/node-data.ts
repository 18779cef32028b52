import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { own } from '../../kernel/own.ts';
import type { Execution } from '../client/shapes.ts';
import { outputCounts } from './digest.ts';
import { countsOf, type KnownOutputs, labelOf, mainWay, type Output, outputsOf } from './outputs.ts';
import { type NodeRun, type RanNode, type RunData, runDataOf, sourcesOf, workflowOf } from './run-data.ts';
import { showItems } from './shorten.ts';
import { hasEnded } from './wait.ts';

/** The input or output of a node. */
export const nodeData = z.object({
  name: z.string(),
  side: z.enum(['output', 'input']),
  run: z.number(),
  runs: z.number(),
  from: z.string().optional().describe('For an input: the node it came from'),
  output: z.string().optional().describe('The output of these items, if there are several: "1 false"'),
  outputs: outputCounts.optional(),
  inputs: z.record(z.string(), z.number()).optional().describe('For a node with several inputs, the items in each'),
  total: z.number().describe('Number of items'),
  offset: z.number(),
  items: z.array(z.unknown()),
  cut: z.boolean().optional().describe('Not all is shown: raise max_kb, or use offset'),
});

export interface Wanted {
  readonly side?: 'output' | 'input' | undefined;
  readonly run?: number | undefined;
  /** Index of the output, or of the input if that is the side. */
  readonly output?: number | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export function nodeDataOf(
  execution: Execution,
  name: string,
  { side = 'output', run: index, output, offset = 0, limit }: Wanted,
  known: KnownOutputs,
  bytes: number,
): z.output<typeof nodeData> {
  const data = runDataOf(execution);
  const runs = data && own(data.nodes, name);
  if (!data || !runs || runs.length === 0) throw noData(execution, name, Object.keys(data?.nodes ?? {}));
  const run = index ?? runs.length - 1;
  const ran = runs[run];
  if (!ran) throw new AppError('not_found', `${name} ran ${runs.length} times: run must be 0 to ${runs.length - 1}.`);
  const { nodes } = workflowOf(execution);
  const { items, ...told } =
    side === 'input'
      ? inputOf(name, inputsOf(data, ran, nodes, known), output)
      : outputOf(name, outputsOf(ran, nodes.get(name), known), output);
  const shown = showItems(items, bytes, { offset, ...(limit !== undefined && { limit }) });
  return {
    name,
    side,
    run,
    runs: runs.length,
    ...told,
    total: shown.total,
    offset,
    items: shown.items,
    ...(shown.cut && { cut: true }),
  };
}

type Shown = Pick<z.output<typeof nodeData>, 'from' | 'output' | 'outputs' | 'inputs'> & Pick<Output, 'items'>;

function outputOf(name: string, outputs: readonly Output[], wanted: number | undefined): Shown {
  const way = wanted === undefined ? mainWay(outputs) : outputs[wanted];
  if (!way && outputs.length > 0) throw none(name, 'output', wanted, outputs.map(labelOf));
  const counts = countsOf(outputs);
  return { items: way?.items ?? [], ...(counts && way && { output: labelOf(way), outputs: counts }) };
}

interface Input {
  readonly index: number;
  readonly from: string;
  readonly outputs: readonly Output[];
  /** The output of the previous node that leads here. */
  readonly way: Output | undefined;
}

function inputsOf(
  data: RunData,
  ran: NodeRun,
  nodes: ReadonlyMap<string, RanNode>,
  known: KnownOutputs,
): readonly Input[] {
  return sourcesOf(data, ran).map(({ input: index, node: from, run, output }) => {
    const outputs = outputsOf(run, nodes.get(from), known);
    return { index, from, outputs, way: outputs[output] };
  });
}

function inputOf(name: string, inputs: readonly Input[], wanted: number | undefined): Shown {
  const label = ({ index, from }: Input) => `${index} ${from}`;
  const input = wanted === undefined ? inputs[0] : inputs.find(({ index }) => index === wanted);
  if (!input && inputs.length > 0) throw none(name, 'input', wanted, inputs.map(label));
  if (!input) return { items: [] };
  const { from, outputs, way } = input;
  return {
    items: way?.items ?? [],
    from,
    ...(way && outputs.length > 1 && { output: labelOf(way) }),
    ...(inputs.length > 1 && {
      inputs: Object.fromEntries(inputs.map((one) => [label(one), one.way?.items.length ?? 0])),
    }),
  };
}

const none = (name: string, side: string, wanted: number | undefined, there: readonly string[]): AppError =>
  new AppError('not_found', `${name} has no data for ${side} ${wanted}. It has: ${there.join(', ')}.`);

function noData(execution: Execution, name: string, ran: readonly string[]): AppError {
  if (ran.length === 0) {
    return new AppError(
      'not_found',
      `n8n has no data of execution ${execution.id}${hasEnded(execution) ? '' : ' yet'}: ${whyNoData(execution)}`,
    );
  }
  const near = nearestNames(name, ran);
  const meant = didYouMean(near, `These ran: ${ran.slice(0, 20).join(', ')}.`);
  const what = workflowOf(execution).nodes.has(name) ? 'did not run' : 'is not in the workflow';
  return new AppError('not_found', `${shown(name)} ${what} in execution ${execution.id}. ${meant}`);
}

export function whyNoData(execution: Execution): string {
  return hasEnded(execution)
    ? 'the settings of the workflow or of n8n say not to keep them.'
    : 'n8n saves them when the execution ends (or, with "save execution progress", after each node).';
}
