import type { LikelyFix } from '../../finding.ts';
import type { Rule } from '../../rule.ts';
import { outputsOfKind } from '../../connections/ports-of.ts';

/** Items that fail then vanish, and the run is called a success. */
export const errorOutputUnused: Rule = {
  id: 'error-output-unused',
  group: 'connections',
  title: 'An output for errors leads somewhere.',
  severity: { run: 'warning', publish: 'warning' },
  check({ nodes, from, to }, report) {
    for (const node of nodes) {
      if (node.disabled || node.raw['onError'] !== 'continueErrorOutput') continue;
      const outputs = outputsOfKind(node, 'main');
      const leaving = from(node);
      // Only the one for errors: a tool hands its errors to the model.
      if (!outputs || outputs.length < 2 || (leaving.length === 0 && to(node).length === 0)) continue;
      const errors = outputs.length - 1;
      if (leaving.some(({ kind, output }) => kind === 'main' && output >= errors)) continue;
      const path = `${node.pointer}/onError`;
      const fix: LikelyFix = {
        description: 'Let the run stop at an error.',
        safe: false,
        changes: 'At an error the run stops; now it goes on without the item.',
        patch: [{ op: 'replace', path, value: 'stopWorkflow' }],
      };
      report({
        path,
        node: node.name,
        message: `"${node.name}" sends what fails to its output for errors (${errors}), and nothing is connected there: errors vanish without a trace. Connect a node that deals with them, or set "onError" to stopWorkflow.`,
        fix,
      });
    }
  },
};
