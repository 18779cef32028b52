import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';
import { mentioned } from '../../connections/mentioned.ts';
import { isSubNode } from '../../connections/ports-of.ts';
import { reachOf } from '../../connections/reach.ts';

/** A part of the workflow that hangs together, and that no trigger leads to: one finding, where it begins. */
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
      // A sub-node that serves nobody has been named already, and so has a faulty connection.
      if (!head || active.every(isSubNode) || island.some((node) => mentioned(subject).has(node))) continue;
      const others = island.length - 1;
      report({
        path: head.pointer,
        node: head.name,
        message: `No trigger leads to "${head.name}"${others > 0 ? ` and the ${others === 1 ? 'node' : `${others} nodes`} connected with it` : ''}, so ${others > 0 ? 'they never run' : 'it never runs'}. Connect it to what comes before it, or remove it.`,
      });
    }
  },
};

/** Without any connection it is an orphan, and that is said already. */
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
