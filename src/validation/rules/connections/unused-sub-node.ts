import type { Rule } from '../../rule.ts';
import { kindInWords } from '../../connections/connection-kinds.ts';
import { mentioned } from '../../connections/mentioned.ts';
import { isSubNode } from '../../connections/ports-of.ts';
import { isWrongWayRound } from '../../connections/misused-edges.ts';

/** A model, a memory or a tool does nothing on its own. */
export const unusedSubNode: Rule = {
  id: 'unused-sub-node',
  group: 'connections',
  title: 'Every sub-node is used by a node.',
  severity: { save: 'info', run: 'warning', publish: 'warning' },
  check(subject, report) {
    const { nodes, from } = subject;
    for (const node of nodes) {
      if (node.disabled || node.sticky || from(node).length > 0 || !isSubNode(node)) continue;
      if (mentioned(subject).has(node) || subject.to(node).some(isWrongWayRound)) continue;
      const kind = node.outputs()?.[0]?.type ?? '';
      report({
        path: node.pointer,
        node: node.name,
        message: `No node uses "${node.name}" as its ${kindInWords(kind)}. Connect it as ${kind} to the node that needs it, or remove it.`,
      });
    }
  },
};
