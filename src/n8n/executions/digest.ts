import { z } from 'zod';
import type { Execution } from '../client/shapes.ts';
import { countsOf, givenOut, type KnownOutputs, knownOutputs, labelOf, outputsOf, together } from './outputs.ts';
import { type Item, type NodeRun, type RunData, runDataOf, sourcesOf, workflowOf } from './run-data.ts';
import { showItems } from './shorten.ts';
import { own } from '../../kernel/own.ts';

/** Why an execution failed, in short. */
export const errorDigest = z.object({
  node: z.string().optional().describe('Where it failed'),
  type: z.string().optional().describe('Type of that node'),
  message: z.string(),
  description: z.string().optional(),
  http_status: z.string().optional().describe('Status from the service that the node called'),
  details: z.array(z.string()).optional(),
  item: z.number().optional().describe('Index of the item it failed at'),
  line: z.number().optional().describe('Line of the code it failed at'),
  input: z.unknown().optional().describe('The input item of the node, shortened'),
  from: z.string().optional().describe('The node that the input is from'),
  from_output: z.string().optional().describe('Which of its outputs, if it has several'),
});

export type ErrorDigest = z.output<typeof errorDigest>;

const INPUT_BYTES = 600;
const LONGEST = 600;

/** Undefined if the execution did not fail, or n8n kept no data of it. */
export function digestOf(execution: Execution, known: KnownOutputs = knownOutputs()): ErrorDigest | undefined {
  const run = runDataOf(execution);
  const failed = run && failedRun(run);
  const error = failed?.run?.error ?? run?.error;
  if (!run || !error) return undefined;
  const node = failed?.node ?? nodeIn(error) ?? run.last;
  const { nodes } = workflowOf(execution);
  const type = node === undefined ? undefined : nodes.get(node)?.type;
  const [from] = failed ? sourcesOf(run, failed.run) : [];
  const outputs = from && outputsOf(from.run, nodes.get(from.node), known);
  const input = outputs?.[from?.output ?? 0];
  const item = itemIn(error);
  const sample =
    input && showItems(input.items.map(withoutHeaders), INPUT_BYTES, { offset: item ?? 0, limit: 1 }).items[0];
  return {
    ...(node !== undefined && { node }),
    ...(type !== undefined && { type }),
    ...wordsOf(error),
    ...(item !== undefined && { item }),
    ...(typeof error.lineNumber === 'number' && { line: error.lineNumber }),
    ...(sample !== undefined && { input: sample }),
    ...(sample !== undefined && from && { from: from.node }),
    ...(sample !== undefined && input && outputs.length > 1 && { from_output: labelOf(input) }),
  };
}

/** The headers of a webhook call take more room than its content. */
function withoutHeaders(item: Item): Item {
  const { json } = item;
  if (typeof json !== 'object' || json === null || !('webhookUrl' in json) || !('headers' in json)) return item;
  const { headers: _, webhookUrl: __, executionMode: ___, ...said } = json as Record<string, unknown>;
  return { ...item, json: said };
}

/** The run of a node that made the execution fail: its last run with an error. */
function failedRun(run: RunData): { node: string; run: NodeRun } | undefined {
  const named = run.error && nodeIn(run.error);
  const node = named !== undefined && own(run.nodes, named) ? named : run.last;
  const runs = node === undefined ? undefined : own(run.nodes, node);
  const ran = runs?.findLast(({ error }) => error) ?? runs?.at(-1);
  return node !== undefined && ran ? { node, run: ran } : undefined;
}

function nodeIn({ node }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof node === 'string') return node;
  const name = (node as { name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : undefined;
}

function itemIn({ context }: Readonly<Record<string, unknown>>): number | undefined {
  const index = (context as { itemIndex?: unknown } | null | undefined)?.itemIndex;
  return typeof index === 'number' ? index : undefined;
}

// Only the fields that are meant for people. Errors also hold requests with their headers.
function wordsOf(error: Readonly<Record<string, unknown>>) {
  const { message, description, httpCode, messages, name } = error;
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value.trim() !== '' ? value.slice(0, LONGEST) : undefined;
  const said = text(message) ?? text(description) ?? text(name) ?? 'n8n gives no reason';
  const details = Array.isArray(messages) ? [...new Set(messages.flatMap((one) => text(one) ?? []))].slice(0, 3) : [];
  const more = text(description);
  const status = typeof httpCode === 'number' ? String(httpCode) : text(httpCode);
  return {
    message: said,
    ...(more !== undefined && more !== said && { description: more }),
    ...(status !== undefined && { http_status: status }),
    ...(details.length > 0 && { details }),
  };
}

export const outputCounts = z
  .record(z.string(), z.number())
  .describe('For a node with several outputs, the number of items in each: { "0 true": 2, "1 false": 1 }');

/** Which nodes ran, in the order they first did. */
export const nodeSummary = z.object({
  node: z.string(),
  type: z.string().optional(),
  items: z.number().describe('Output of all its runs, without discarded items and those of its error output'),
  outputs: outputCounts.optional(),
  ms: z.number().optional(),
  runs: z.number().optional().describe('If more than one'),
  pinned: z.boolean().optional().describe('Did not run: its pinned data were used'),
  failed: z.boolean().optional(),
});

export type NodeSummary = z.output<typeof nodeSummary>;

export function nodesOf(execution: Execution, known: KnownOutputs = knownOutputs()): NodeSummary[] {
  const run = runDataOf(execution);
  if (!run) return [];
  const { nodes } = workflowOf(execution);
  const first = (runs: readonly NodeRun[]): number => runs[0]?.executionIndex ?? runs[0]?.startTime ?? 0;
  return Object.entries(run.nodes)
    .sort(([, a], [, b]) => first(a) - first(b))
    .map(([node, runs]) => {
      const last = runs.at(-1);
      const type = nodes.get(node)?.type;
      const outputs = together(runs.map((one) => outputsOf(one, nodes.get(node), known)));
      const counts = countsOf(outputs);
      const ms = runs.reduce((sum, one) => sum + (one.executionTime ?? 0), 0);
      return {
        node,
        ...(type !== undefined && { type }),
        items: givenOut(outputs),
        ...(counts && { outputs: counts }),
        ms,
        ...(runs.length > 1 && { runs: runs.length }),
        ...(run.pinned.includes(node) && { pinned: true }),
        ...(last?.error && { failed: true }),
      };
    });
}
