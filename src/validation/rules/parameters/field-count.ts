import { isRecord } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { checkedNodes, isExpression } from '../../parameters/checked-fields.ts';
import { isOutline } from '../../structure/outline.ts';
import { called } from '../../messages/wording.ts';

/** n8n refuses to publish or start a workflow with too few or too many. */
export const fieldCount: Rule = {
  id: 'field-count',
  group: 'parameters',
  title: 'A field has as many entries as it needs.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    if (isOutline(subject)) return;
    for (const node of checkedNodes(subject)) {
      for (const { property, value, pointer, path } of node.fields()) {
        if (property.type !== 'fixedCollection' || path.length !== 1 || isExpression(value)) continue;
        const least = numberOf(property.typeOptions?.['minRequiredFields']);
        const most = numberOf(property.typeOptions?.['maxAllowedFields']);
        if (least === undefined && most === undefined) continue;
        for (const { name } of property.options ?? []) {
          const entries = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
          const count = Array.isArray(entries) ? entries.length : 0;
          const wrong =
            least !== undefined && count < least
              ? `at least ${least}`
              : most !== undefined && count > most
                ? `at most ${most}`
                : '';
          if (wrong === '') continue;
          report({
            node: node.name,
            path: pointer,
            message: `${called(property)} has ${count === 1 ? '1 entry' : `${count} entries`} in "${name}", but needs ${wrong}. ${count === 0 ? 'Add an entry' : 'Change the number of entries'}.`,
          });
        }
      }
    }
  },
};

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}
