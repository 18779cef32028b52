import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

export const expressionTooLong: Rule = {
  id: 'expression-too-long',
  group: 'expressions',
  title: 'Expressions and code are short enough to check.',
  severity: 'info',
  check(subject, report) {
    for (const { node, pointer, text, skipped } of codeTexts(subject)) {
      if (!skipped) continue;
      report({
        node: node.name,
        path: pointer,
        message: `This is too long to check (${text.length} characters). Move fixed text into a file or a data table, and calculations into a Code node.`,
      });
    }
  },
};
