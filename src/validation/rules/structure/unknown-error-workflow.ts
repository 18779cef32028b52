import { shown } from '../../../kernel/nearest-names.ts';
import { errorWorkflowOf } from '../../instance-references.ts';
import type { Rule } from '../../rule.ts';

/** n8n only writes to its own log then. Checked only if the workflows of the instance are known. */
export const unknownErrorWorkflow: Rule = {
  id: 'unknown-error-workflow',
  group: 'structure',
  title: 'The error workflow exists on the instance and is published.',
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
          ? `There is no workflow "${shown(id)}" on this n8n, so nothing is called when this workflow fails. Name another error workflow, or leave "errorWorkflow" out.`
          : `The error workflow "${shown(found.name)}" is not published, so n8n does not call it when this workflow fails. Publish it with n8n_publish_workflow.`,
    });
  },
};
