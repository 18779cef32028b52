import type { Property } from '../../../nodes/description.ts';
import { isHandedOn } from '../../structure/handed-on.ts';
import type { Rule } from '../../rule.ts';
import type { Field, NodeView, Subject } from '../../subject/subject.ts';
import { checkedNodes, isDeep } from '../../parameters/checked-fields.ts';
import { isOfferedList, isOwn, isUnchosen, isUntouched } from '../../parameters/left-open.ts';
import { isMissing } from '../../parameters/missing-value.ts';
import { isOutline } from '../../structure/outline.ts';
import { called } from '../../messages/wording.ts';

/**
 * n8n requires these when it starts or publishes a workflow, but not when it saves one. A workflow from elsewhere never
 * contains what its next user has to choose (a document, a channel), just as it never contains credentials: that is only
 * a warning until it is published.
 */
export const requiredParameter: Rule = {
  id: 'required-parameter',
  group: 'parameters',
  title: 'Every parameter that the node requires in its configuration has a value.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const open = subject.purpose === 'run' && { severity: 'warning' as const };
    if (isOutline(subject)) {
      const message =
        'No node has any parameters: this is an outline, or they were removed before it got here. n8n does not run it until the required ones are set. n8n_validate_node lists them for each node.';
      // It was complete elsewhere, so there is nothing left to judge.
      const lost = subject.purpose !== 'publish' && isHandedOn(subject) && { severity: 'info' as const };
      report({ path: '/nodes', message, ...open, ...lost });
      return;
    }
    for (const node of checkedNodes(subject)) {
      for (const field of node.fields()) {
        const { property, pointer } = field;
        if (property.required !== true || !isMissing(field)) continue;
        if (isUnchosen(property, field.value)) {
          const message = `Nothing is chosen yet for ${called(property)}, and n8n does not run the workflow without it. Set its "value", and set "mode" to the kind of that value.`;
          report({ node: node.name, path: pointer, message, ...open });
          continue;
        }
        if (isLeftOpen(field, node, subject)) {
          const message = `${called(property)} was left for you to fill in, and n8n does not run the workflow without it. Set it to a value from your account.`;
          report({ node: node.name, path: pointer, message, ...open });
          continue;
        }
        const example = exampleOf(property);
        report({
          node: node.name,
          path: pointer,
          message: `${called(property)} is required here, but empty. Set it to a value or an expression${example}.`,
          // n8n does not check inside a collection, and the node may work without it.
          ...(isDeep(field) ? { severity: 'warning' as const } : {}),
        });
      }
    }
  },
};

/** Also everything in an untouched node of a template: it is a slot, and the notes say what belongs there. */
function isLeftOpen({ property }: Field, node: NodeView, subject: Subject): boolean {
  if (!isHandedOn(subject)) return false;
  return (
    isOwn(property) || isOfferedList(property) || (isUntouched(node) && subject.nodes.some(({ sticky }) => sticky))
  );
}

function exampleOf({ placeholder }: Property): string {
  if (typeof placeholder !== 'string' || placeholder === '' || placeholder.length > 80) return '';
  return `, for example ${placeholder.replace(/^(e\.g\.|for example),?:?\s*/i, '')}`;
}
