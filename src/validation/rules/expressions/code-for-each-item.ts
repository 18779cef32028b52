import type { AnyNode } from 'acorn';
import { walk } from '../../expressions/javascript.ts';
import { placeIn } from '../../expressions/pieces.ts';
import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

const ofAll = new Set(['all', 'first', 'last', 'itemMatching']);

/** n8n searches the code for these calls before it runs it. */
export const codeForEachItem: Rule = {
  id: 'code-for-each-item',
  group: 'expressions',
  title: 'Code that runs once for each item does not ask for all of them.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, pointer, text, language, scripts } of codeTexts(subject)) {
      const program = scripts[0]?.parsed.program;
      if (language !== 'javascript' || !program || !node.type.endsWith('-base.code')) continue;
      if (node.parameters['mode'] !== 'runOnceForEachItem' || !text.includes('$input.')) continue;
      for (const { node: one } of walk(program)) {
        const name = asked(one as AnyNode);
        if (name === undefined) continue;
        report({
          node: node.name,
          path: pointer,
          message: `n8n refuses $input.${name} in code that runs once for each item (${placeIn(text, one.start)}). Use $input.item or $json, or set the mode to "runOnceForAllItems".`,
        });
        break;
      }
    }
  },
};

function asked(node: AnyNode): string | undefined {
  if (node.type !== 'MemberExpression' || node.computed || node.optional) return undefined;
  const { object, property } = node;
  // n8n searches for the literal text: it misses the call if a line break separates the two.
  if (object.type !== 'Identifier' || object.name !== '$input' || property.start !== object.end + 1) return undefined;
  return property.type === 'Identifier' && ofAll.has(property.name) ? property.name : undefined;
}
