import { circlesAlong } from '../../connections/circles.ts';
import type { Rule } from '../../rule.ts';
import type { Edge, NodeView } from '../../subject/subject.ts';
import { batchOutputs, isBatchLoop, isReversed } from '../../connections/batch-loop.ts';
import { outputsOfKind } from '../../connections/ports-of.ts';

/** These always pass their items on: a circle of nothing else runs until n8n is stopped. A request may return nothing. */
const alwaysHandOn: ReadonlySet<string> = new Set(
  ['noOp', 'set', 'dateTime', 'renameKeys', 'markdown', 'crypto', 'merge', 'if', 'splitInBatches'].map(
    (name) => `n8n-nodes-base.${name}`,
  ),
);

/** These pause a run until someone answers or time passes, or drop items. */
const mayHold: ReadonlySet<string> = new Set(
  ['wait', 'filter', 'removeDuplicates', 'stopAndError', 'form', 'executeWorkflow', 'switch'].map(
    (name) => `n8n-nodes-base.${name}`,
  ),
);

export const endlessLoop: Rule = {
  id: 'endless-loop',
  group: 'connections',
  title: 'A loop has a way out: a condition, batches that run out, someone who answers.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const carrying = subject.edges.filter(carriesItems);
    if (circlesAlong(carrying).length === 0) return;
    const bound = boundToGoOn(carrying);
    const inside = carrying.filter(({ source, target }) => bound.has(source) && bound.has(target));
    for (const circle of circlesAlong(inside)) {
      // reversed-loop-outputs reports this circle.
      if (circle.some((node) => isReversed(node, subject))) continue;
      const first = circle[0] as NodeView;
      const isSure = circle.every(({ type, disabled }) => disabled || alwaysHandOn.has(type));
      const names = circle.map(({ name }) => `"${name}"`);
      const shown = names.length > 5 ? [...names.slice(0, 5), `${names.length - 5} more`] : names;
      report({
        path: first.pointer,
        node: first.name,
        message: `${names.length === 1 ? `${names[0]} leads to itself` : `${shown.join(', ')} lead in a circle`} without a way out${isSure ? ': the run never ends' : ', unless one of them returns no items'}. Add an If, a Switch or a Filter that ends the loop, or loop over batches (n8n-nodes-base.splitInBatches).`,
        ...(!isSure && { severity: 'warning' as const }),
      });
    }
  },
};

/** A disabled node passes its input on at its first output. Batches run out, so "loop" does not count. */
function carriesItems({ kind, targetKind, source, output }: Edge): boolean {
  if (kind !== 'main' || targetKind !== 'main') return false;
  if (isBatchLoop(source)) return output !== batchOutputs(source).loop;
  return !source.disabled || output === 0;
}

/**
 * The nodes from which items circulate forever. Starts with every node, and repeatedly removes those with a way out: an
 * output that leads to none of the others, or a node that may hold the items.
 */
function boundToGoOn(edges: readonly Edge[]): ReadonlySet<NodeView> {
  const leaving = Map.groupBy(edges, ({ source }) => source);
  const arriving = Map.groupBy(edges, ({ target }) => target);
  const bound = new Set(leaving.keys());
  // For each output: how many of its targets are still bound.
  const left = new Map([...leaving].map(([node, out]) => [node, perOutput(out)]));
  const free = new Set([...arriving.keys()].filter((node) => !bound.has(node)));
  for (const node of bound) if (mayEnd(node, left.get(node) as Map<number, number>)) free.add(node);
  for (const node of free) {
    bound.delete(node);
    for (const { source, output } of arriving.get(node) ?? []) {
      const counts = left.get(source) as Map<number, number>;
      counts.set(output, (counts.get(output) as number) - 1);
      if (isOut(source, counts)) free.add(source);
    }
  }
  return bound;
}

function perOutput(edges: readonly Edge[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { output } of edges) counts.set(output, (counts.get(output) ?? 0) + 1);
  return counts;
}

/** The node may end the loop, whatever the others do. */
function mayEnd(node: NodeView, counts: ReadonlyMap<number, number>): boolean {
  if (node.disabled || isBatchLoop(node)) return false;
  const outputs = outputsOfKind(node, 'main')?.length;
  // A node with unknown outputs may do anything.
  if (outputs === undefined || node.parameters['operation'] === 'sendAndWait') return true;
  return outputs < 2 ? mayHold.has(node.type) : counts.size < outputs;
}

/** One free output of several is enough. */
function isOut(node: NodeView, counts: ReadonlyMap<number, number>): boolean {
  const free = [...counts.values()].filter((count) => count === 0).length;
  return node.disabled || counts.size === 1 ? free === counts.size : free > 0;
}
