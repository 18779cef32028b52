import type { Execution } from '../client/shapes.ts';
import { nodesOf } from '../executions/digest.ts';
import { whyNoData } from '../executions/node-data.ts';
import { type KnownOutputs, outputsOf, together } from '../executions/outputs.ts';
import { isWithheld, type NodeRun, type RunData, runDataOf, sourcesOf, workflowOf } from '../executions/run-data.ts';
import { hasEnded } from '../executions/wait.ts';
import { own } from '../../kernel/own.ts';
import type { Run } from './shapes.ts';

const LONGEST = 600;

/** What ran in an execution. Counts only: n8n_get_execution shows the items. */
export function runOf(execution: Execution, known: KnownOutputs): Omit<Run, 'url'> {
  const data = runDataOf(execution);
  const { nodes } = workflowOf(execution);
  const ran = nodesOf(execution, known).map(({ node, items, ms = 0, pinned, failed }) => {
    const runs = (data && own(data.nodes, node)) ?? [];
    const outputs = together(runs.map((run) => outputsOf(run, nodes.get(node), known)));
    const error = words(runs.findLast((run) => run.error)?.error);
    return {
      node,
      items,
      outputs: outputs.map(({ index, name, kind, items: all }) => ({
        index,
        ...(name !== undefined && { name }),
        kind,
        items: all.length,
      })),
      inputs: data ? inputsOf(data, runs) : [],
      ms,
      ...startOf(runs),
      runs: runs.length,
      ...(pinned && { pinned: true as const }),
      ...(failed && { failed: true as const }),
      ...(error !== undefined && { error }),
    };
  });
  const { workflowId: workflow, status, startedAt, stoppedAt } = execution;
  return {
    workflow,
    status,
    ...(startedAt && { started: startedAt }),
    ...(stoppedAt && hasEnded(execution) && { stopped: stoppedAt }),
    nodes: ran,
    ...noteFor(execution, ran.length),
  };
}

function startOf(runs: readonly NodeRun[]): { started?: string } {
  const first = new Date(runs[0]?.startTime ?? Number.NaN);
  return Number.isNaN(first.getTime()) ? {} : { started: first.toISOString() };
}

/** How many items came from where, over all runs. */
function inputsOf(data: RunData, runs: readonly NodeRun[]): Run['nodes'][number]['inputs'] {
  const counts = new Map<string, Run['nodes'][number]['inputs'][number]>();
  for (const run of runs) {
    for (const { input, node: from, run: before, output } of sourcesOf(data, run)) {
      const key = JSON.stringify([input, from, output]);
      const items = (counts.get(key)?.items ?? 0) + (before.data?.main?.[output]?.length ?? 0);
      counts.set(key, { input, from, output, items });
    }
  }
  return [...counts.values()];
}

function words(error: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
  if (!error) return undefined;
  const said = [error.message, error.description, error.name].find((one) => typeof one === 'string' && one !== '');
  return typeof said === 'string' ? said.slice(0, LONGEST) : 'n8n gives no reason';
}

function noteFor(execution: Execution, ran: number): { note?: string } {
  if (isWithheld(execution)) return { note: 'n8n withholds the data of this execution because of their size.' };
  return ran > 0 ? {} : { note: `n8n has no data of this execution: ${whyNoData(execution)}` };
}
