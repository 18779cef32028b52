import { z } from 'zod';
import type { Execution } from '../client/shapes.ts';
import { own } from '../../kernel/own.ts';

// What an execution has kept of its run, as far as we rely on it.

export const itemShape = z.looseObject({ json: z.unknown().optional(), binary: z.unknown().optional() });

const outputsShape = z.record(z.string(), z.array(z.array(itemShape).nullable()).nullable());

const nodeRunShape = z.looseObject({
  startTime: z.number().optional(),
  executionTime: z.number().optional(),
  executionIndex: z.number().optional(),
  executionStatus: z.string().optional(),
  error: z.looseObject({}).nullish(),
  data: outputsShape.nullish(),
  source: z.array(z.looseObject({ previousNode: z.string() }).nullable()).nullish(),
  metadata: z.looseObject({}).nullish(),
});

const runDataShape = z.looseObject({
  resultData: z.looseObject({
    error: z.looseObject({}).nullish(),
    lastNodeExecuted: z.string().nullish(),
    runData: z.record(z.string(), z.array(nodeRunShape)).default({}),
    pinData: z.record(z.string(), z.unknown()).nullish(),
  }),
});

const workflowDataShape = z.looseObject({
  name: z.string().optional(),
  nodes: z.array(z.looseObject({ name: z.string(), type: z.string() })).default([]),
});

export type Item = z.output<typeof itemShape>;
export type NodeRun = z.output<typeof nodeRunShape>;

/** What happened in an execution. */
export interface RunData {
  /** By node, each time it ran. */
  readonly nodes: Readonly<Record<string, readonly NodeRun[]>>;
  readonly last?: string;
  readonly error?: Readonly<Record<string, unknown>>;
  readonly pinned: readonly string[];
}

/** Undefined when n8n kept nothing of it, or withholds it. */
export function runDataOf({ data }: Execution): RunData | undefined {
  const parsed = runDataShape.safeParse(data);
  if (!parsed.success) return undefined;
  const { runData, lastNodeExecuted, error, pinData } = parsed.data.resultData;
  return {
    nodes: runData,
    pinned: Object.keys(pinData ?? {}),
    ...(lastNodeExecuted && { last: lastNodeExecuted }),
    ...(error && { error }),
  };
}

/** The workflow as it was when it ran. */
export function workflowOf({ workflowData }: Execution): { name?: string; types: ReadonlyMap<string, string> } {
  const parsed = workflowDataShape.safeParse(workflowData);
  if (!parsed.success) return { types: new Map() };
  const { name, nodes } = parsed.data;
  return { ...(name !== undefined && { name }), types: new Map(nodes.map((node) => [node.name, node.type])) };
}

/** Whether n8n has the data and does not show it for its size. */
export const isWithheld = (execution: Execution): boolean => execution.dataTooLargeToDisplay === true;

/** What a node gave out in one of its runs: the output that carries most, unless one is named. */
export function outputOf(run: NodeRun, output?: number): readonly Item[] {
  const kinds = run.data ?? {};
  const outputs = kinds.main ?? Object.values(kinds)[0] ?? [];
  if (output !== undefined) return outputs[output] ?? [];
  return outputs.reduce<readonly Item[]>(
    (most, items) => ((items?.length ?? 0) > most.length ? (items ?? []) : most),
    [],
  );
}

/** What went into a node in one of its runs: what the node before it gave out. */
export function inputOf({ nodes }: RunData, run: NodeRun): { node: string; items: readonly Item[] } | undefined {
  const from = run.source?.[0];
  const before = from && own(nodes, from.previousNode);
  if (!from || !before) return undefined;
  const index = typeof from.previousNodeRun === 'number' ? from.previousNodeRun : 0;
  const output = typeof from.previousNodeOutput === 'number' ? from.previousNodeOutput : 0;
  const ran = before[index];
  return ran && { node: from.previousNode, items: outputOf(ran, output) };
}
