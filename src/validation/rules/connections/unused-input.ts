import type { Rule } from '../../rule.ts';
import { isOutline } from '../../structure/outline.ts';
import { inputsOfKind } from '../../connections/ports-of.ts';

/** n8n runs it with what there is: nothing is compared or matched, and often nothing comes out. */
export const unusedInput: Rule = {
  id: 'unused-input',
  group: 'connections',
  title: 'A node that brings several inputs together has something at each of them.',
  severity: { run: 'warning', publish: 'warning' },
  check(subject, report) {
    // How many there are depends on parameters.
    if (isOutline(subject)) return;
    for (const node of subject.nodes) {
      if (node.disabled || node.sticky) continue;
      const inputs = inputsOfKind(node, 'main');
      if (!inputs || inputs.length < 2) continue;
      const used = new Set(subject.to(node).flatMap(({ targetKind, input }) => (targetKind === 'main' ? [input] : [])));
      const free = inputs.findIndex((_, index) => !used.has(index));
      // Connected to nothing at all, it is another finding.
      if (used.size === 0 || free === -1) continue;
      report({
        node: node.name,
        path: node.pointer,
        // Two of many are still brought together.
        ...(used.size > 1 && { severity: 'info' as const }),
        message: `"${node.name}" brings ${inputs.length} inputs together, and nothing is connected to its input ${free} (they are counted from 0). Connect something there, or take the node out.`,
      });
    }
  },
};
