import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';
import { named } from '../../messages/named.ts';

/** In a manual run you see the error. A run that starts by itself stops unnoticed. */
export const missingErrorHandling: Rule = {
  id: 'missing-error-handling',
  group: 'lint',
  title: 'A workflow that starts by itself handles failed requests.',
  severity: { run: 'info', publish: 'warning' },
  check(subject, report) {
    if (!startsByItself(subject) || hasErrorWorkflow(subject)) return;
    const bare = subject.nodes.filter((node) => asksAnother(node) && !isPrepared(node));
    const [first, ...others] = bare;
    if (!first) return;
    report({
      node: first.name,
      path: first.pointer,
      message: `This node has no error handling: if the service does not answer, the workflow stops here and nobody is told. Set "retryOnFail": true or "onError", or set an error workflow in the settings.${
        others.length > 0 ? ` The same goes for ${named(others)}.` : ''
      }`,
    });
  },
};

function startsByItself({ nodes }: Subject): boolean {
  return nodes.some(
    ({ trigger, disabled, type }) =>
      trigger && !disabled && !/\.(manualTrigger|executeWorkflowTrigger|errorTrigger|evaluationTrigger)$/.test(type),
  );
}

function hasErrorWorkflow({ workflow }: Subject): boolean {
  const settings = own(workflow, 'settings');
  const given =
    typeof settings === 'object' && settings !== null ? own(settings as Record<string, unknown>, 'errorWorkflow') : '';
  return typeof given === 'string' && given !== '';
}

function asksAnother({ summary, type, disabled, trigger }: NodeView): boolean {
  if (disabled || trigger || !summary || summary.toolOf !== undefined) return false;
  return type === 'n8n-nodes-base.httpRequest' || summary.type === 'EXTERNAL_ACTION';
}

function isPrepared({ raw }: NodeView): boolean {
  const onError = own(raw, 'onError');
  return (
    own(raw, 'retryOnFail') === true ||
    own(raw, 'continueOnFail') === true ||
    (typeof onError === 'string' && onError !== 'stopWorkflow')
  );
}
