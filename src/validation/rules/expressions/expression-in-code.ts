import { placeIn } from '../../expressions/pieces.ts';
import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

const inBraces = /\{\{\s*\$(?:json|node|input|items?|binary|\()[^{}]*\}\}/;

/** n8n does not evaluate {{ }} in code: in a string they stay as they are. */
export const expressionInCode: Rule = {
  id: 'expression-in-code',
  group: 'expressions',
  title: 'The code of a node contains no {{ }} of n8n.',
  severity: 'warning',
  check(subject, report) {
    for (const { node, pointer, text, language, skipped, scripts } of codeTexts(subject)) {
      if (language === 'expression' || skipped || scripts[0]?.parsed.problem !== undefined) continue;
      const match = inBraces.exec(text);
      // Code that builds workflows or talks about expressions mentions them in comments.
      if (!match || isComment(text, match.index)) continue;
      report({
        node: node.name,
        path: pointer,
        message: `n8n does not evaluate {{ }} in code (${placeIn(text, match.index)}): they stay in the string as they are. Write ${language === 'python' ? "_item['json']['field']" : '${$json.field} in a string in backticks'}.`,
      });
    }
  },
};

function isComment(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
  return /^\s*(\/\/|\*|\/\*|#)/.test(line) || /\s\/\/\s/.test(line);
}
