import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import type { Field, NodeView } from '../../subject/subject.ts';
import { checkedNodes, isExpression } from '../../parameters/checked-fields.ts';
import { isOutline } from '../../structure/outline.ts';
import { essentialsOf, isEmpty } from '../../parameters/unfilled-nodes.ts';
import { called } from '../../messages/wording.ts';

/** A Sort node without a field to sort by, for example: n8n publishes it, and it fails when it runs. */
export const unfilledNode: Rule = {
  id: 'unfilled-node',
  group: 'parameters',
  title: 'A node has what it needs to work: fields to sort by, code to run, conditions.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    if (isOutline(subject)) return;
    for (const node of checkedNodes(subject)) {
      const essentials = essentialsOf(node.type);
      if (essentials.length === 0 || hasStrangers(node)) continue;
      for (const essential of essentials) {
        if (essential.unless?.(node.parameters)) continue;
        const field = node.fields().find(({ path }) => path.length === 1 && path[0] === essential.field);
        if (!field || isRequired(field) || isOpen(field, node) || !isEmpty(field.value, essential)) continue;
        report({
          node: node.name,
          path: field.pointer,
          message: `This node lacks ${essential.lacks}. Fill in ${called(field.property)}.`,
          ...(essential.mild && { severity: 'warning' as const }),
        });
      }
    }
  },
};

/** required-parameter reports these, except credential and mapper fields. */
function isRequired({ property }: Field): boolean {
  return property.required === true && property.type !== 'credentialsSelect' && property.type !== 'resourceMapper';
}

/** An expression decides whether the field is used at all. */
function isOpen({ property }: Field, { parameters }: NodeView): boolean {
  const { show, hide } = property.displayOptions ?? {};
  const names = [...Object.keys(show ?? {}), ...Object.keys(hide ?? {})];
  return names.some((name) => isExpression(own(parameters, name.replace(/^\//, ''))));
}

/** The value may be there under a wrong name: unknown-parameter reports that. */
function hasStrangers({ parameters, description }: NodeView): boolean {
  const known = new Set(description?.properties.map(({ name }) => name));
  return Object.keys(parameters).some((name) => !known.has(name));
}
