import { shown } from '../../../kernel/nearest-names.ts';
import { callsIn, isRefused, pathOf } from '../../parameters/called-workflows.ts';
import type { Rule } from '../../rule.ts';

/** A call of what is not there fails each time. Only where it is known what is on the instance. */
export const unknownSubWorkflow: Rule = {
  id: 'unknown-sub-workflow',
  group: 'parameters',
  title: 'A workflow that is called is on the instance.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, id, called } of callsIn(subject)) {
      if (called !== 'missing' || isRefused(node, subject)) continue;
      report({
        node: node.name,
        path: pathOf(node),
        message: `There is no workflow "${shown(id)}" on this n8n, so that every call of "${node.name}" fails. n8n_list_workflows shows the ids.`,
      });
    }
  },
};
