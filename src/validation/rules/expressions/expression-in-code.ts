import { placeIn } from '../../expressions/pieces.ts';
import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

const inBraces = /\{\{\s*\$(?:json|node|input|items?|binary|\()[^{}]*\}\}/;

/** Code is not searched for {{ }}: in a text they stay what they are. */
export const expressionInCode: Rule = {
  id: 'expression-in-code',
  group: 'expressions',
  title: 'There are no {{ }} of n8n in the code of a node.',
  severity: 'warning',
  check(subject, report) {
    for (const { node, pointer, text, language, skipped, scripts } of codeTexts(subject)) {
      if (language === 'expression' || skipped || scripts[0]?.parsed.problem !== undefined) continue;
      const match = inBraces.exec(text);
      // Code that builds a workflow, or talks about expressions, escapes or comments them.
      if (!match || isComment(text, match.index)) continue;
      report({
        node: node.name,
        path: pointer,
        message: `Code is not searched for {{ }} (${placeIn(text, match.index)}): they stay in the text as they are. Write ${language === 'python' ? "_item['json']['field']" : '${$json.field} in a text in backticks'}.`,
      });
    }
  },
};

function isComment(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
  return /^\s*(\/\/|\*|\/\*|#)/.test(line) || /\s\/\/\s/.test(line);
}
