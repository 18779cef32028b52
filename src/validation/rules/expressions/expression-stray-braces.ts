import { piecesOf, placeIn } from '../../expressions/pieces.ts';
import { codeTexts, isSelfFilling } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** n8n passes on what stands outside of expressions, and so the rest of one that was cut in two. */
export const expressionStrayBraces: Rule = {
  id: 'expression-stray-braces',
  group: 'expressions',
  title: 'No }} stands outside of an expression, and no {{ at the end of a text.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, pointer, text, language, property, skipped } of codeTexts(subject)) {
      // In a page or a query, braces may be somebody else's.
      if (language !== 'expression' || skipped || isSelfFilling(property)) continue;
      const at = strayAt(text);
      if (at === undefined) continue;
      const braces = text.slice(at, at + 2);
      report({
        node: node.name,
        path: pointer,
        message: `The ${braces} at ${placeIn(text, at)} belongs to no expression, and n8n passes it on as it is. ${
          braces === '}}' ? 'Take it away, or put {{ where its expression begins.' : 'Take it away.'
        }`,
      });
    }
  },
};

/** Where braces are opened in the text itself, as JSON and style sheets do, closing ones are theirs. */
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
