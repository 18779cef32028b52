import type { Property } from '../../../nodes/description.ts';
import type { LikelyFix } from '../../finding.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { checkedNodes, isExpression, isOpenList } from '../../parameters/checked-fields.ts';
import { didYouMean, meant } from '../../messages/near-choice.ts';
import { choicesOf, CUSTOM_API_CALL } from './unknown-option.ts';
import { listed, quoted } from '../../messages/wording.ts';

/** n8n publishes such a node, and then runs nothing or fails with a riddle. */
export const unknownResource: Rule = {
  id: 'unknown-resource',
  group: 'parameters',
  title: 'The resource of a node is one that it has.',
  severity: 'error',
  check(subject, report) {
    for (const node of checkedNodes(subject)) {
      const found = wrongChoice(node, 'resource');
      if (!found) continue;
      const { value, values, pointer } = found;
      const right = meant(value, values);
      report({
        node: node.name,
        path: pointer,
        message: `${node.summary?.title ?? node.type} has no resource ${quoted(value)}.${didYouMean(value, values)} It has: ${listed(values)}.`,
        ...(right !== undefined && { fix: replaced(pointer, right) }),
      });
    }
  },
};

export const unknownOperation: Rule = {
  id: 'unknown-operation',
  group: 'parameters',
  title: 'The operation of a node is one that its resource has.',
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
          `${title} has no operation ${quoted(value)}${typeof resource === 'string' ? ` for the resource "${resource}"` : ''}.` +
          `${didYouMean(value, values)} It has: ${listed(values)}.` +
          (elsewhere.length > 0 ? ` "${value}" belongs to the resource ${listed(elsewhere, 5)}.` : ''),
        ...(right !== undefined && { fix: replaced(pointer, right) }),
      });
    }
  },
};

interface Wrong {
  readonly value: string;
  readonly values: readonly string[];
  readonly pointer: string;
}

/** A value at the top that none of the shown fields of this name offers. */
function wrongChoice(node: NodeView, name: string): Wrong | undefined {
  const value = Object.hasOwn(node.parameters, name) ? node.parameters[name] : undefined;
  if (typeof value !== 'string' || value === '' || value === CUSTOM_API_CALL || isExpression(value)) return undefined;
  const fields = node.fields().filter(({ path, property }) => path.length === 1 && property.name === name);
  if (fields.length === 0 || fields.some(({ property }) => property.type !== 'options' || isOpenList(property)))
    return undefined;
  const values = fields.flatMap(({ property }) => choicesOf(property).map((choice) => String(choice.value)));
  if (values.length === 0 || values.includes(value)) return undefined;
  const offered = [...new Set(values)].filter((one) => one !== CUSTOM_API_CALL);
  return { value, values: offered, pointer: (fields[0] as { pointer: string }).pointer };
}

/** Where else in the node the operation exists. */
function resourcesWith({ description }: NodeView, operation: string): string[] {
  const offering = (property: Property) => choicesOf(property).some(({ value }) => value === operation);
  const operations = (description?.properties ?? []).filter(
    (property) => property.name === 'operation' && offering(property),
  );
  return [...new Set(operations.flatMap(({ displayOptions }) => displayOptions?.show?.['resource'] ?? []))].map(String);
}

function replaced(path: string, value: string): LikelyFix {
  return {
    description: `Set it to "${value}"`,
    safe: false,
    changes: `The node does "${value}"; now it does nothing, or fails.`,
    patch: [{ op: 'replace', path, value }],
  };
}
