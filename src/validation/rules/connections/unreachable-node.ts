import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';
import { mentioned } from '../../connections/mentioned.ts';
import { isSubNode } from '../../connections/ports-of.ts';
import { reachOf } from '../../connections/reach.ts';

/** One finding for each connected group of nodes that no trigger leads to, at its first node. */
export const unreachableNode: Rule = {
  id: 'unreachable-node',
  group: 'connections',
  title: 'Every node can be reached from a trigger.',
  severity: { save: 'info', run: 'warning', publish: 'warning' },
  check(subject, report) {
    const { triggers, reached } = reachOf(subject);
    if (triggers.length === 0) return;
    const left = new Set(subject.nodes.filter((node) => !reached.has(node) && isPart(node, subject)));
    for (const first of left) {
      const island = islandOf(first, left, subject);
      for (const node of island) left.delete(node);
      const active = island.filter(({ disabled }) => !disabled);
      const head =
        active.find((node) => !isSubNode(node) && !isFed(node, subject)) ??
        active.find((node) => !isSubNode(node)) ??
        active[0];
      // Other rules report unused sub-nodes and faulty connections.
      if (!head || active.every(isSubNode) || island.some((node) => mentioned(subject).has(node))) continue;
      const others = island.length - 1;
      report({
        path: head.pointer,
        node: head.name,
        message: `No trigger leads to "${head.name}"${others > 0 ? ` and the ${others === 1 ? 'node' : `${others} nodes`} connected with it` : ''}, so ${others > 0 ? 'they never run' : 'it never runs'}. Connect it to the step before it, or remove it.`,
      });
    }
  },
};

/** orphan-node reports nodes without any connection. */
function isPart(node: NodeView, { from, to }: Subject): boolean {
  return !node.sticky && (from(node).length > 0 || to(node).length > 0);
}

const isFed = (node: NodeView, { to }: Subject): boolean => to(node).some(({ kind }) => kind === 'main');

function islandOf(first: NodeView, among: ReadonlySet<NodeView>, { from, to }: Subject): NodeView[] {
  const island = new Set([first]);
  for (const node of island) {
    for (const { target } of from(node)) if (among.has(target)) island.add(target);
    for (const { source } of to(node)) if (among.has(source)) island.add(source);
  }
  return [...island];
}
