import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

export const expressionTooLong: Rule = {
  id: 'expression-too-long',
  group: 'expressions',
  title: 'Expressions and code are short enough to be checked.',
  severity: 'info',
  check(subject, report) {
    for (const { node, pointer, text, skipped } of codeTexts(subject)) {
      if (!skipped) continue;
      report({
        node: node.name,
        path: pointer,
        message: `This is too long to be checked (${text.length} characters). Move what is fixed into a file or a data table, and what computes into a Code node.`,
      });
    }
  },
};
