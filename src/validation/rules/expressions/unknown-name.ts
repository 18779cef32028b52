import { shown } from '../../../kernel/nearest-names.ts';
import { placeIn } from '../../expressions/pieces.ts';
import { codeTexts, isSelfFilling } from '../../expressions/texts.ts';
import { globals } from '../../expressions/variables.ts';
import type { Rule } from '../../rule.ts';

/** Names that exist in a Code node, but not in an expression. */
const onlyInCode = new Set([
  'require',
  'Buffer',
  'setTimeout',
  'fetch',
  'console',
  'Promise',
  'btoa',
  'atob',
  'crypto',
  'URL',
  'moment',
]);

/** n8n silently returns nothing for it. */
export const unknownName: Rule = {
  id: 'unknown-name',
  group: 'expressions',
  title: 'Every name without $ in an expression is one that n8n knows.',
  severity: 'warning',
  check(subject, report) {
    for (const { node, pointer, text, language, scripts, property } of codeTexts(subject)) {
      if (language !== 'expression' || isSelfFilling(property)) continue;
      for (const { names, start, parsed, closed } of scripts) {
        if (!parsed.program || !closed) continue;
        for (const { name, start: at } of names.free) {
          if (name.startsWith('$') || globals.has(name)) continue;
          report({
            node: node.name,
            path: pointer,
            message: `Expressions do not know "${shown(name)}" (${placeIn(text, start + at - parsed.shift)}) and return nothing for it. ${
              onlyInCode.has(name)
                ? 'Do that in a Code node.'
                : `For a field of the data, write $json.${shown(name)}; for a string, put it in quotes.`
            }`,
          });
        }
      }
    }
  },
};
