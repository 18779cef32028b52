import type { AnyNode } from 'acorn';
import { shown } from '../../../kernel/nearest-names.ts';
import { placeIn } from '../../expressions/pieces.ts';
import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** n8n makes items of objects alone, and for each item it wants one. Only what is plain to see is judged. */
export const codeResult: Rule = {
  id: 'code-result',
  group: 'expressions',
  title: 'The code of a node returns what n8n can make items of.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, pointer, text, language, scripts } of codeTexts(subject)) {
      if (language !== 'javascript' || !node.type.endsWith('-base.code')) continue;
      const problemOf = node.parameters['mode'] === 'runOnceForEachItem' ? problemForEach : problemForAll;
      const returned = scripts[0]?.names.returned ?? [];
      const wrong = returned.flatMap((value) => {
        const problem = problemOf(value);
        return problem === undefined ? [] : [{ problem, place: placeIn(text, value.start) }];
      });
      const [first] = wrong;
      if (!first) continue;
      report({
        node: node.name,
        path: pointer,
        message: `The code (${first.place}) returns ${first.problem}.`,
        // It may never come to that one.
        ...(wrong.length < returned.length && { severity: 'warning' as const }),
      });
    }
  },
};

function problemForEach(value: AnyNode): string | undefined {
  if (value.type === 'ArrayExpression')
    return 'a list, and once for each item n8n wants one object. Return { json: { … } }, or set the mode to "runOnceForAllItems"';
  // Nothing at all, and what counts as nothing, leaves the item out.
  if (!isBare(value) || (value.type === 'Literal' && !value.value)) return problemOfItem(value);
  return 'a text, a number or the like, and n8n wants an object. Return { json: { … } }';
}

function problemForAll(value: AnyNode): string | undefined {
  if (isBare(value)) return 'a text, a number or the like, and n8n wants a list of objects. Return [{ json: { … } }]';
  if (value.type !== 'ArrayExpression') return problemOfItem(value);
  const items = value.elements as readonly (AnyNode | null)[];
  const odd = items.flatMap((item) => (item ? (problemOfItem(item) ?? []) : []));
  if (odd[0] !== undefined) return odd[0];
  return items.some((item) => item && (isBare(item) || item.type === 'ArrayExpression' || isNull(item)))
    ? 'a list with something in it that is no object, and n8n makes an item of each. Return [{ json: { … } }]'
    : undefined;
}

/** What n8n knows of an item. */
const itemKeys = new Set(['json', 'binary', 'pairedItem', 'error', 'index']);

function problemOfItem(item: AnyNode): string | undefined {
  if (item.type !== 'ObjectExpression') return undefined;
  let json: AnyNode | undefined;
  let other: string | undefined;
  for (const one of item.properties as readonly AnyNode[]) {
    if (one.type !== 'Property' || one.computed) return undefined;
    const key = one.key as AnyNode;
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
    if (name === 'json') json = one.value as AnyNode;
    else if (!itemKeys.has(name)) other ??= name;
  }
  if (!json) return undefined;
  if (isBare(json) || isNull(json) || json.type === 'ArrayExpression')
    return 'an item of which "json" is no object. Return { json: { … } } with the fields of the item in it';
  return other === undefined
    ? undefined
    : `an item with "${shown(other)}" beside "json", which n8n does not take. Put it into "json"`;
}

function isBare(value: AnyNode): boolean {
  return value.type === 'TemplateLiteral' || (value.type === 'Literal' && !isNull(value) && !('regex' in value));
}

function isNull(value: AnyNode): boolean {
  return value.type === 'Literal' && value.raw === 'null';
}
