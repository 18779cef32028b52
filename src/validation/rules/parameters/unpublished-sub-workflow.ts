import { shown } from '../../../kernel/nearest-names.ts';
import { callsIn, isRefused, pathOf } from '../../parameters/called-workflows.ts';
import type { Rule } from '../../rule.ts';

/** n8n refuses to publish a workflow that calls an unpublished one, even from a node that is not connected. */
export const unpublishedSubWorkflow: Rule = {
  id: 'unpublished-sub-workflow',
  group: 'parameters',
  title: 'A published workflow calls only published workflows.',
  severity: { publish: 'error' },
  stopsAll: true,
  check(subject, report) {
    for (const { node, id, isServing, called } of callsIn(subject)) {
      if (called === 'missing' ? !isRefused(node, subject) : called.isPublished) continue;
      // n8n checks tools only when they are called.
      const isIdle = isServing && subject.from(node).length === 0;
      report({
        node: node.name,
        path: pathOf(node),
        ...(isIdle && { severity: 'warning' as const }),
        message:
          called === 'missing'
            ? `There is no workflow "${shown(id)}" on this n8n, so n8n refuses to publish a workflow that calls it. n8n_list_workflows shows the ids.`
            : `"${node.name}" calls "${shown(called.name)}" (${shown(id)}), which is not published: ${isServing ? 'every call fails' : 'n8n refuses to publish this workflow'}. Publish "${shown(called.name)}" first, with n8n_publish_workflow.`,
      });
    }
  },
};
