import type { Rule } from '../../rule.ts';
import { kindInWords } from '../../connections/connection-kinds.ts';
import { mentioned } from '../../connections/mentioned.ts';
import { isSubNode } from '../../connections/ports-of.ts';
import { isWrongWayRound } from '../../connections/misused-edges.ts';

/** A model, a memory or a tool by itself does nothing. */
export const unusedSubNode: Rule = {
  id: 'unused-sub-node',
  group: 'connections',
  title: 'Every sub-node serves a node.',
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
        message: `"${node.name}" serves as ${kindInWords(kind)}, and no node uses it. Connect it as ${kind} to the node that needs it, or remove it.`,
      });
    }
  },
};
