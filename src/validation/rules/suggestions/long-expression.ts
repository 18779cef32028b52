import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

const LONG = 400;

export const longExpression: Rule = {
  id: 'long-expression',
  group: 'suggestions',
  title: 'What needs many words is computed in a Code node.',
  severity: { save: 'info', run: 'warning', publish: 'warning' },
  check(subject, report) {
    for (const { node, pointer, language, scripts } of codeTexts(subject)) {
      const longest = language === 'expression' ? Math.max(0, ...scripts.map(({ code }) => code.trim().length)) : 0;
      if (longest < LONG) continue;
      report({
        node: node.name,
        path: pointer,
        message: `An expression of ${longest} characters is hard to read and to test. Compute the value in a Code node before, and use it here.`,
      });
    }
  },
};
