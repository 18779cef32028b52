import type { Rule } from '../../rule.ts';
import { mentioned } from '../../connections/mentioned.ts';
import { isSubNode } from '../../connections/ports-of.ts';

export const orphanNode: Rule = {
  id: 'orphan-node',
  group: 'connections',
  title: 'Every node is connected to something.',
  severity: { save: 'info', run: 'warning', publish: 'warning' },
  check(subject, report) {
    const { nodes, from, to } = subject;
    const others = nodes.filter(({ sticky }) => !sticky);
    // A single node lacks a trigger: no-trigger reports that.
    if (others.length < 2) return;
    for (const node of others) {
      if (node.disabled || node.trigger || from(node).length > 0 || to(node).length > 0 || isSubNode(node)) continue;
      if (mentioned(subject).has(node)) continue;
      report({
        path: node.pointer,
        node: node.name,
        message: `"${node.name}" is not connected, so it never runs. Connect it, or remove it.`,
      });
    }
  },
};
