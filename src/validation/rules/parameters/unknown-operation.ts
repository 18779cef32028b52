import { sentences } from '../../../kernel/nearest-names.ts';
import type { Property } from '../../../nodes/description.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { checkedNodes } from '../../parameters/checked-fields.ts';
import { choiceMeant, meant } from '../../messages/near-choice.ts';
import { choicesOf } from '../../parameters/choices.ts';
import { choosing, wrongChoice } from '../../parameters/wrong-choice.ts';
import { listed, quoted } from '../../messages/wording.ts';

export const unknownOperation: Rule = {
  id: 'unknown-operation',
  group: 'parameters',
  title: 'The operation of a node exists for its resource.',
  severity: 'error',
  check(subject, report) {
    for (const node of checkedNodes(subject)) {
      const found = wrongChoice(node, 'operation');
      if (!found) continue;
      const { value, values, pointer } = found;
      const right = meant(value, values);
      const resource = node
        .fields()
        .find(({ path, property }) => path.length === 1 && property.name === 'resource')?.value;
      const title = node.summary?.title ?? node.type;
      const elsewhere = resourcesWith(node, value).filter((one) => one !== resource);
      report({
        node: node.name,
        path: pointer,
        message:
          `${title} has no operation ${quoted(value)}${typeof resource === 'string' ? ` for the resource "${resource}"` : ''}. ` +
          sentences(choiceMeant(value, values), `It has: ${listed(values)}.`) +
          (elsewhere.length > 0 ? ` "${value}" belongs to the resource ${listed(elsewhere, 5)}.` : ''),
        ...(right !== undefined && { fix: choosing(pointer, right) }),
      });
    }
  },
};

/** The other resources of the node that have the operation. */
function resourcesWith({ description }: NodeView, operation: string): string[] {
  const offering = (property: Property) => choicesOf(property).some(({ value }) => value === operation);
  const operations = (description?.properties ?? []).filter(
    (property) => property.name === 'operation' && offering(property),
  );
  return [...new Set(operations.flatMap(({ displayOptions }) => displayOptions?.show?.['resource'] ?? []))].map(String);
}
