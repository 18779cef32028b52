import type { Rule } from '../../rule.ts';
import { givenFields, isExpression, takesMany } from '../../parameters/checked-fields.ts';
import { called, kindOf } from '../../messages/wording.ts';

/** Choices of which several can be taken, and texts and numbers that can be given more than once. */
export const listShape: Rule = {
  id: 'list-shape',
  group: 'parameters',
  title: 'A field that takes several values has a list.',
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
        message: `${called(property)} must be a list, and is ${kindOf(value)}. Write [ … ].`,
        // Some nodes split a text themselves.
        ...(isPlain && property.type !== 'multiOptions' && { severity: 'warning' as const }),
        ...(isPlain && {
          fix: {
            description: 'Make it a list',
            safe: false,
            changes: 'The node gets a list; now it gets the value by itself.',
            patch: [{ op: 'replace', path: pointer, value: [value] }],
          },
        }),
      });
    }
  },
};
