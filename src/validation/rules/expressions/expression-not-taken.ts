import { codeTexts, isSelfFilling } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** n8n removes the "=" there and keeps the braces as text, which is not a valid operation, code or path. */
export const expressionNotTaken: Rule = {
  id: 'expression-not-taken',
  group: 'expressions',
  title: 'A field that does not support expressions has none.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, pointer, text, lead, language, property, isWhole } of codeTexts(subject)) {
      // Values nested inside the field, such as a column of a table, may be expressions.
      if (!isWhole || lead === 0 || language !== 'expression' || !property?.noDataExpression) continue;
      if (isSelfFilling(property) || !text.includes('{{') || /\$fromai\s*\(/i.test(text)) continue;
      report({
        node: node.name,
        path: pointer,
        message: `"${property.displayName}" does not support expressions: n8n uses this text as it is. Set a fixed value. To choose at run time, use a Switch node and one node for each case.`,
      });
    }
  },
};
