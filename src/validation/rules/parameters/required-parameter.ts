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
 * As n8n itself demands when a workflow is started or published; it saves one that lacks them. What whoever takes a
 * workflow over has to choose (a document, a channel) is never in it, as credentials never are: that is only a warning
 * until it is published.
 */
export const requiredParameter: Rule = {
  id: 'required-parameter',
  group: 'parameters',
  title: 'Every parameter that the node requires for its configuration has a value.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const open = subject.purpose === 'run' && { severity: 'warning' as const };
    if (isOutline(subject)) {
      const message =
        'None of the nodes has any parameters: this is an outline, or they were removed on the way here. n8n refuses to run it before those that are required are set; n8n_validate_node says for each node which.';
      // Of one that was whole elsewhere there is nothing left to judge: whoever asks sees that.
      const lost = subject.purpose !== 'publish' && isHandedOn(subject) && { severity: 'info' as const };
      report({ path: '/nodes', message, ...open, ...lost });
      return;
    }
    for (const node of checkedNodes(subject)) {
      for (const field of node.fields()) {
        const { property, pointer } = field;
        if (property.required !== true || !isMissing(field)) continue;
        if (isUnchosen(property, field.value)) {
          const message = `Nothing is chosen yet for ${called(property)}, and n8n refuses to run it before. Set its "value", and its "mode" to what that is.`;
          report({ node: node.name, path: pointer, message, ...open });
          continue;
        }
        if (isLeftOpen(field, node, subject)) {
          const message = `${called(property)} was left to whoever uses the workflow, and n8n refuses to run it before. Set it to what your account has.`;
          report({ node: node.name, path: pointer, message, ...open });
          continue;
        }
        const example = exampleOf(property);
        report({
          node: node.name,
          path: pointer,
          message: `${called(property)} is required here and is empty. Set it to a value or an expression${example}.`,
          // Below a collection n8n does not look, and the node may do without.
          ...(isDeep(field) ? { severity: 'warning' as const } : {}),
        });
      }
    }
  },
};

/** Also all of a node that a template brings along untouched: a slot, and its notes say what belongs there. */
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
