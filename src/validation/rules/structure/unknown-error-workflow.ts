import { shown } from '../../../kernel/nearest-names.ts';
import { errorWorkflowOf } from '../../instance-references.ts';
import type { Rule } from '../../rule.ts';

/** n8n then tells its log, and nobody else. Only where it is known what is on the instance. */
export const unknownErrorWorkflow: Rule = {
  id: 'unknown-error-workflow',
  group: 'structure',
  title: 'The error workflow is on the instance, and published.',
  severity: 'warning',
  check({ workflow, world }, report) {
    const id = errorWorkflowOf(workflow);
    if (id === undefined || id === world?.self) return;
    const found = world?.workflow?.(id);
    if (found === undefined || (found !== 'missing' && found.isPublished)) return;
    report({
      path: '/settings/errorWorkflow',
      message:
        found === 'missing'
          ? `There is no workflow "${shown(id)}" on this n8n: when this one fails, nothing is called. Name another one, or leave "errorWorkflow" out.`
          : `The error workflow "${shown(found.name)}" is not published: when this one fails, n8n does not call it. Publish it with n8n_publish_workflow.`,
    });
  },
};
