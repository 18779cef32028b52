import type { CodeText } from '../../expressions/texts.ts';
import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** n8n expects items back. Without them the node fails, or, if it runs once for each item, drops the item. */
export const codeWithoutReturn: Rule = {
  id: 'code-without-return',
  group: 'expressions',
  title: 'The code of a node returns something.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const text of codeTexts(subject)) {
      if (text.language === 'expression' || text.skipped || returns(text)) continue;
      const { node, pointer } = text;
      const stops =
        /\.(code|function|functionItem)$/.test(node.type) && node.parameters['mode'] !== 'runOnceForEachItem';
      report({
        node: node.name,
        path: pointer,
        message: stops
          ? 'The code returns nothing, so the node fails. End it with a return, for example: return $input.all();'
          : 'The code returns nothing, so nothing comes out of the node. End it with a return.',
        ...((!stops || node.type.startsWith('@n8n')) && { severity: 'warning' as const }),
      });
    }
  },
};

function returns({ language, text, scripts }: CodeText): boolean {
  if (language === 'python') return /(^|\n|;|:)[ \t]*return\b/.test(text) || /(^|\n)[ \t]*(raise|yield)\b/.test(text);
  const script = scripts[0];
  // Code that does not parse is another finding. Code that throws is meant to.
  return !script || script.parsed.problem !== undefined || script.names.returns || /^[ \t]*throw\b/m.test(text);
}
