import type { Rule } from '../../rule.ts';
import { isOutline } from '../../structure/outline.ts';
import { inputsOfKind } from '../../connections/ports-of.ts';

/** n8n runs it with the inputs it has: nothing is compared or matched, and often nothing comes out. */
export const unusedInput: Rule = {
  id: 'unused-input',
  group: 'connections',
  title: 'A node that combines several inputs has a connection to each of them.',
  severity: { run: 'warning', publish: 'warning' },
  check(subject, report) {
    // The number of inputs depends on the parameters.
    if (isOutline(subject)) return;
    for (const node of subject.nodes) {
      if (node.disabled || node.sticky) continue;
      const inputs = inputsOfKind(node, 'main');
      if (!inputs || inputs.length < 2) continue;
      const used = new Set(subject.to(node).flatMap(({ targetKind, input }) => (targetKind === 'main' ? [input] : [])));
      const free = inputs.findIndex((_, index) => !used.has(index));
      // Another rule reports a node without any connection.
      if (used.size === 0 || free === -1) continue;
      report({
        node: node.name,
        path: node.pointer,
        // It still combines those it has.
        ...(used.size > 1 && { severity: 'info' as const }),
        message: `"${node.name}" combines ${inputs.length} inputs, but nothing is connected to input ${free} (counted from 0). Connect a node there, or remove this one.`,
      });
    }
  },
};
