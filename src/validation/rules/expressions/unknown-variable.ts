import { didYouMean, inQuotes, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import { placeIn } from '../../expressions/pieces.ts';
import { codeTexts } from '../../expressions/texts.ts';
import { codeVariables, variables } from '../../expressions/variables.ts';
import type { Rule } from '../../rule.ts';

/** An expression silently returns nothing for it; code fails. */
export const unknownVariable: Rule = {
  id: 'unknown-variable',
  group: 'expressions',
  title: 'Every variable with a $ is one that n8n has.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, pointer, text, language, scripts } of codeTexts(subject)) {
      for (const { names, start, parsed } of scripts) {
        for (const { name, start: at } of names.free) {
          if (!name.startsWith('$') || variables.has(name)) continue;
          if (language === 'javascript' && codeVariables.has(name)) continue;
          const near = nearestNames(name, variables, 2).filter((one) => one !== '$');
          report({
            node: node.name,
            path: pointer,
            message: `n8n has no variable "${shown(name)}" (${placeIn(text, start + at - (parsed.program ? parsed.shift : 0))}). ${didYouMean(
              inQuotes(near),
              "The input is $json; the data of another node is $('Node name').",
            )}`,
          });
        }
      }
    }
  },
};
