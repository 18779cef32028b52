import { codeTexts, isSelfFilling } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** n8n takes the "=" away there and keeps the braces as a plain text, which then is no operation, no code, no path. */
export const expressionNotTaken: Rule = {
  id: 'expression-not-taken',
  group: 'expressions',
  title: 'No expression stands in a field that takes none.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, pointer, text, lead, language, property, isWhole } of codeTexts(subject)) {
      // What stands inside of it, a column of a table, is another matter.
      if (!isWhole || lead === 0 || language !== 'expression' || !property?.noDataExpression) continue;
      if (isSelfFilling(property) || !text.includes('{{') || /\$fromai\s*\(/i.test(text)) continue;
      report({
        node: node.name,
        path: pointer,
        message: `"${property.displayName}" takes no expression: n8n uses this text as it is. Give a fixed value; to choose while it runs, use a Switch node and one node for each case.`,
      });
    }
  },
};
