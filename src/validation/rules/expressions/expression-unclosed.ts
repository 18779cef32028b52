import { placeIn } from '../../expressions/pieces.ts';
import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** n8n reads everything after it as code, which parses only by luck. */
export const expressionUnclosed: Rule = {
  id: 'expression-unclosed',
  group: 'expressions',
  title: 'Every {{ has its }}.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  fixesSafely: true,
  check(subject, report) {
    for (const { node, pointer, text, language, lead, scripts, property } of codeTexts(subject)) {
      if (language !== 'expression') continue;
      for (const { closed, code, start, parsed } of scripts) {
        if (closed || (property?.noDataExpression === true && !code.includes('$'))) continue;
        const base = { node: node.name, path: pointer };
        const where = placeIn(text, start - 2);
        const whole = text.trimEnd();
        const oneBrace = whole.endsWith('}') && parsed.problem !== undefined;
        const isWhole = parsed.problem === undefined || oneBrace;
        report({
          ...base,
          message: `The {{ at ${where} has no }}, so n8n reads everything after it as code. Close it with }} where the expression ends.`,
          ...(isWhole && {
            fix: {
              description: 'Close the expression at the end of the text.',
              ...(parsed.problem === undefined
                ? { safe: true }
                : { safe: false, changes: 'n8n inserts the result of the expression. Now the expression fails.' }),
              patch: [
                {
                  op: 'replace' as const,
                  path: pointer,
                  value: `${lead === 1 ? '=' : ''}${oneBrace ? whole.slice(0, -1).trimEnd() : whole} }}`,
                },
              ],
            },
          }),
        });
      }
    }
  },
};
