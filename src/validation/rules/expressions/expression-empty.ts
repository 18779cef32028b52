import { placeIn } from '../../expressions/pieces.ts';
import { codeTexts, isEmpty, isSelfFilling } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** n8n reports this as invalid syntax. */
export const expressionEmpty: Rule = {
  id: 'expression-empty',
  group: 'expressions',
  title: 'There is something between {{ and }}.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, pointer, text, language, scripts, property } of codeTexts(subject)) {
      if (language !== 'expression' || isSelfFilling(property)) continue;
      for (const script of scripts) {
        if (!script.closed || !isEmpty(script)) continue;
        report({
          node: node.name,
          path: pointer,
          message: `The {{ }} at ${placeIn(text, script.start - 2)} is empty, and n8n refuses that. Write an expression there, or remove the braces.`,
        });
      }
    }
  },
};
