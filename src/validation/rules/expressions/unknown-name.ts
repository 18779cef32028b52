import { shown } from '../../../kernel/nearest-names.ts';
import { placeIn } from '../../expressions/pieces.ts';
import { codeTexts, isSelfFilling } from '../../expressions/texts.ts';
import { globals } from '../../expressions/variables.ts';
import type { Rule } from '../../rule.ts';

/** What a Code node has, and an expression has not. */
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

/** n8n gives nothing for it, without a word. */
export const unknownName: Rule = {
  id: 'unknown-name',
  group: 'expressions',
  title: 'A name without $ in an expression is one that n8n knows there.',
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
            message: `An expression does not know "${shown(name)}" (${placeIn(text, start + at - parsed.shift)}) and gives nothing for it. ${
              onlyInCode.has(name)
                ? 'Do that in a Code node.'
                : `If it is a field of the data, write $json.${shown(name)}; if it is a text, put it into quotes.`
            }`,
          });
        }
      }
    }
  },
};
