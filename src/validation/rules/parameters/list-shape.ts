import type { Rule } from '../../rule.ts';
import { givenFields, isExpression, takesMany } from '../../parameters/checked-fields.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { called } from '../../messages/wording.ts';

/** Multiple choice fields, and strings and numbers that can be given more than once. */
export const listShape: Rule = {
  id: 'list-shape',
  group: 'parameters',
  title: 'A field for several values has a list.',
  severity: 'error',
  check(subject, report) {
    const choices = givenFields(subject, 'multiOptions');
    const many = givenFields(subject, 'string', 'number', 'options', 'dateTime').filter(({ property }) =>
      takesMany(property),
    );
    for (const { property, value, pointer, node } of [...choices, ...many]) {
      if (value === null || value === '' || isExpression(value) || Array.isArray(value)) continue;
      const isPlain = typeof value !== 'object';
      report({
        node: node.name,
        path: pointer,
        message: `${called(property)} must be a list, not ${kindOf(value)}. Write [ … ].`,
        // Some nodes split a string themselves.
        ...(isPlain && property.type !== 'multiOptions' && { severity: 'warning' as const }),
        ...(isPlain && {
          fix: {
            description: 'Make it a list.',
            safe: false,
            changes: 'The node gets a list instead of the bare value.',
            patch: [{ op: 'replace', path: pointer, value: [value] }],
          },
        }),
      });
    }
  },
};
