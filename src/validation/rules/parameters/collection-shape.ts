import { isRecord } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { givenFields, isExpression, takesMany } from '../../parameters/checked-fields.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { called } from '../../messages/wording.ts';

/** n8n drops anything else completely. */
export const collectionShape: Rule = {
  id: 'collection-shape',
  group: 'parameters',
  title: 'A collection of options is an object.',
  severity: 'error',
  check(subject, report) {
    for (const { property, value, pointer, node } of givenFields(subject, 'collection')) {
      if (value === null || value === '' || isExpression(value) || isRecord(value)) continue;
      if (Array.isArray(value) && (takesMany(property) || value.length === 0)) continue;
      const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : undefined;
      report({
        node: node.name,
        path: pointer,
        message: `${called(property)} must be an object of options, not ${kindOf(value)}: n8n ignores it. Write { "option": value }.`,
        ...(isRecord(only) && {
          fix: {
            description: 'Take it out of the list.',
            safe: false,
            changes: 'These options take effect.',
            patch: [{ op: 'replace', path: pointer, value: only }],
          },
        }),
      });
    }
  },
};
