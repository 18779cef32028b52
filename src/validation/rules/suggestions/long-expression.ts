import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';
import { named } from '../../messages/named.ts';

const LONG = 400;

export const longExpression: Rule = {
  id: 'long-expression',
  group: 'suggestions',
  title: 'Long calculations are in a Code node, not in an expression.',
  severity: 'info',
  check(subject, report) {
    const found = codeTexts(subject).flatMap(({ node, pointer, language, scripts }) => {
      const longest = language === 'expression' ? Math.max(0, ...scripts.map(({ code }) => code.trim().length)) : 0;
      return longest < LONG ? [] : [{ node, pointer, longest }];
    });
    const [first] = found;
    if (!first) return;
    const others = [...new Set(found.map(({ node }) => node))].filter((node) => node !== first.node);
    report({
      node: first.node.name,
      path: first.pointer,
      message: `An expression of ${first.longest} characters is hard to read and to test. Compute the value in a Code node before this one, and use it here.${
        others.length > 0 ? ` The same goes for ${named(others)}.` : ''
      }`,
    });
  },
};
