import { piecesOf, placeIn } from '../../expressions/pieces.ts';
import { codeTexts, isSelfFilling } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** n8n passes text outside of expressions on, including the rest of an expression that was cut in two. */
export const expressionStrayBraces: Rule = {
  id: 'expression-stray-braces',
  group: 'expressions',
  title: 'There is no }} outside an expression, and no {{ at the end of the text.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, pointer, text, language, property, skipped } of codeTexts(subject)) {
      // In HTML or a query, braces may have another meaning.
      if (language !== 'expression' || skipped || isSelfFilling(property)) continue;
      const at = strayAt(text);
      if (at === undefined) continue;
      const braces = text.slice(at, at + 2);
      report({
        node: node.name,
        path: pointer,
        message: `The ${braces} at ${placeIn(text, at)} belongs to no expression, so n8n passes it on as text. ${
          braces === '}}' ? 'Remove it, or put {{ where its expression starts.' : 'Remove it.'
        }`,
      });
    }
  },
};

/** If the text itself opens braces, as JSON and CSS do, the closing ones match those. */
function strayAt(text: string): number | undefined {
  if (!text.includes('}}') && !text.endsWith('{{')) return undefined;
  const pieces = piecesOf(text);
  if (pieces.length === 0 || pieces.some(({ closed }) => !closed)) return undefined;
  let open = 0;
  let at = 0;
  for (const { start, code } of [...pieces, { start: text.length + 2, code: '' }]) {
    for (; at < start - 2; at++) {
      if (text[at] === '{') open++;
      else if (text[at] === '}' && --open === -2 && text[at - 1] === '}') return at - 1;
    }
    at = text.indexOf('}}', start + code.length) + 2;
  }
  return /(?<![\\{])\{\{$/.test(text) ? text.length - 2 : undefined;
}
