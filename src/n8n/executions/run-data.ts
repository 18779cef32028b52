import { z } from 'zod';
import type { Execution } from '../client/shapes.ts';
import { own } from '../../kernel/own.ts';

// The parts of an execution's data that Sluice relies on.

const itemShape = z.looseObject({ json: z.unknown().optional(), binary: z.unknown().optional() });

const outputsShape = z.record(z.string(), z.array(z.array(itemShape).nullable()).nullable());

const nodeRunShape = z.looseObject({
  startTime: z.number().optional(),
  executionTime: z.number().optional(),
  executionIndex: z.number().optional(),
  executionStatus: z.string().optional(),
  error: z.looseObject({}).nullish(),
  data: outputsShape.nullish(),
  source: z
    .array(
      z
        .looseObject({
          previousNode: z.string(),
          previousNodeOutput: z.number().nullish(),
          previousNodeRun: z.number().nullish(),
        })
        .nullable(),
    )
    .nullish(),
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
  nodes: z
    .array(
      z.looseObject({
        name: z.string(),
        type: z.string(),
        typeVersion: z.number().optional(),
        parameters: z.record(z.string(), z.unknown()).optional(),
        onError: z.string().optional(),
      }),
    )
    .default([]),
});

export type Item = z.output<typeof itemShape>;
export type NodeRun = z.output<typeof nodeRunShape>;
/** A node as it was when it ran. */
export type RanNode = z.output<typeof workflowDataShape>['nodes'][number];

/** What happened in an execution. */
export interface RunData {
  /** By name of a node, its runs. */
  readonly nodes: Readonly<Record<string, readonly NodeRun[]>>;
  readonly last?: string;
  readonly error?: Readonly<Record<string, unknown>>;
  readonly pinned: readonly string[];
}

/** Undefined if n8n kept no data or withholds them. */
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
export function workflowOf({ workflowData }: Execution): { name?: string; nodes: ReadonlyMap<string, RanNode> } {
  const parsed = workflowDataShape.safeParse(workflowData);
  if (!parsed.success) return { nodes: new Map() };
  const { name, nodes } = parsed.data;
  return { ...(name !== undefined && { name }), nodes: new Map(nodes.map((node) => [node.name, node])) };
}

/** Whether n8n withholds the data because of their size. */
export const isWithheld = (execution: Execution): boolean => execution.dataTooLargeToDisplay === true;

/** A run that gave a node its input, and by which output. */
export interface Source {
  /** Index of the input that it went to. */
  readonly input: number;
  readonly node: string;
  readonly run: NodeRun;
  readonly output: number;
}

/** Where the input of a run came from, in the order of its inputs. */
export function sourcesOf({ nodes }: RunData, { source }: NodeRun): Source[] {
  return (source ?? []).flatMap((from, input) => {
    const run = from ? own(nodes, from.previousNode)?.[from.previousNodeRun ?? 0] : undefined;
    return from && run ? [{ input, node: from.previousNode, run, output: from.previousNodeOutput ?? 0 }] : [];
  });
}
