import type { LikelyFix } from '../../finding.ts';
import type { Rule } from '../../rule.ts';
import { outputsOfKind } from '../../connections/ports-of.ts';

/** Failed items vanish, and the run counts as a success. */
export const errorOutputUnused: Rule = {
  id: 'error-output-unused',
  group: 'connections',
  title: 'Every error output is connected.',
  severity: { run: 'warning', publish: 'warning' },
  check({ nodes, from, to }, report) {
    for (const node of nodes) {
      if (node.disabled || node.raw['onError'] !== 'continueErrorOutput') continue;
      const outputs = outputsOfKind(node, 'main');
      const leaving = from(node);
      // Only error outputs: a tool passes its errors to the model.
      if (!outputs || outputs.length < 2 || (leaving.length === 0 && to(node).length === 0)) continue;
      const errors = outputs.length - 1;
      if (leaving.some(({ kind, output }) => kind === 'main' && output >= errors)) continue;
      const path = `${node.pointer}/onError`;
      const fix: LikelyFix = {
        description: 'Stop the run at an error.',
        safe: false,
        changes: 'The run stops at an error instead of continuing without the item.',
        patch: [{ op: 'replace', path, value: 'stopWorkflow' }],
      };
      report({
        path,
        node: node.name,
        message: `"${node.name}" sends failed items to its error output (${errors}), but nothing is connected there, so errors vanish silently. Connect a node that handles them, or set "onError" to stopWorkflow.`,
        fix,
      });
    }
  },
};
