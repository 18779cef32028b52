import type { Rule } from '../../rule.ts';
import { givenFields, isExpression } from '../../parameters/checked-fields.ts';
import { called, quoted } from '../../messages/wording.ts';

const COLOR = /^(#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|(rgb|hsl)a?\([^()]{1,60}\)|[a-z]{3,30})$/i;

export const invalidColor: Rule = {
  id: 'invalid-color',
  group: 'parameters',
  title: 'A colour is in a known format.',
  severity: 'warning',
  check(subject, report) {
    for (const { property, value, pointer, node } of givenFields(subject, 'color')) {
      if (value === '' || value === null || isExpression(value)) continue;
      if (typeof value === 'string' && COLOR.test(value.trim())) continue;
      // Slack and Discord accept six digits without #.
      if (typeof value === 'string' && /^[0-9a-f]{6}$/i.test(value)) continue;
      report({
        node: node.name,
        path: pointer,
        message: `${called(property)}: ${quoted(value)} is not a colour. Write it like #ff6d5a.`,
      });
    }
  },
};
