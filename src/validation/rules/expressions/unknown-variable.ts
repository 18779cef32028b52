import { didYouMean, inQuotes, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import { placeIn } from '../../expressions/pieces.ts';
import { codeTexts } from '../../expressions/texts.ts';
import { codeVariables, variables } from '../../expressions/variables.ts';
import type { Rule } from '../../rule.ts';

/** In an expression n8n gives nothing for it, without a word; in code it stops. */
export const unknownVariable: Rule = {
  id: 'unknown-variable',
  group: 'expressions',
  title: 'Every variable with a $ is one of n8n.',
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
              "Data that comes in is $json; another node's is $('Node name').",
            )}`,
          });
        }
      }
    }
  },
};
