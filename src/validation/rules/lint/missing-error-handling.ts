import { shown } from '../../../kernel/nearest-names.ts';
import { own } from '../../record.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject.ts';

/** So many are named. */
const MOST = 5;

/** By hand one sees what fails; what starts by itself stops where nobody looks. */
export const missingErrorHandling: Rule = {
  id: 'missing-error-handling',
  group: 'lint',
  title: 'Where a workflow starts by itself, a request that fails is dealt with.',
  severity: { run: 'info', publish: 'warning' },
  check(subject, report) {
    if (!startsByItself(subject) || hasErrorWorkflow(subject)) return;
    const bare = subject.nodes.filter((node) => asksAnother(node) && !isPrepared(node));
    const [first, ...others] = bare;
    if (!first) return;
    const more = others.slice(0, MOST).map(({ name }) => `"${shown(name)}"`);
    const rest = others.length > MOST ? ` and ${others.length - MOST} more` : '';
    report({
      node: first.name,
      path: first.pointer,
      message: `If the service does not answer, the workflow stops here and nobody is told. Set "retryOnFail": true or an "onError", or an error workflow in the settings.${
        more.length > 0 ? ` The same goes for ${more.join(', ')}${rest}.` : ''
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
