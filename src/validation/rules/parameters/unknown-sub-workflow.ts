import { shown } from '../../../kernel/nearest-names.ts';
import { callsIn, isRefused, pathOf } from '../../parameters/called-workflows.ts';
import type { Rule } from '../../rule.ts';

/** A call of a missing workflow always fails. Checked only if the workflows of the instance are known. */
export const unknownSubWorkflow: Rule = {
  id: 'unknown-sub-workflow',
  group: 'parameters',
  title: 'Every called workflow exists on the instance.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, id, called } of callsIn(subject)) {
      if (called !== 'missing' || isRefused(node, subject)) continue;
      report({
        node: node.name,
        path: pathOf(node),
        message: `There is no workflow "${shown(id)}" on this n8n, so every call of "${node.name}" fails. n8n_list_workflows shows the ids.`,
      });
    }
  },
};
