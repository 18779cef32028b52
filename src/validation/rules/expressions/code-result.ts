import type { AnyNode } from 'acorn';
import { shown } from '../../../kernel/nearest-names.ts';
import { placeIn } from '../../expressions/pieces.ts';
import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** n8n turns only objects into items, and expects one per item in that mode. Only returned literals are judged. */
export const codeResult: Rule = {
  id: 'code-result',
  group: 'expressions',
  title: 'The code of a node returns objects that n8n can turn into items.',
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
        // The code may never reach that return.
        ...(wrong.length < returned.length && { severity: 'warning' as const }),
      });
    }
  },
};

function problemForEach(value: AnyNode): string | undefined {
  if (value.type === 'ArrayExpression')
    return 'a list, but in the mode "runOnceForEachItem" n8n expects one object. Return { json: { … } }, or set the mode to "runOnceForAllItems"';
  // Returning nothing, or a falsy value, drops the item.
  if (!isBare(value) || (value.type === 'Literal' && !value.value)) return problemOfItem(value);
  return 'a plain value such as a string or a number, but n8n expects an object. Return { json: { … } }';
}

function problemForAll(value: AnyNode): string | undefined {
  if (isBare(value))
    return 'a plain value such as a string or a number, but n8n expects a list of objects. Return [{ json: { … } }]';
  if (value.type !== 'ArrayExpression') return problemOfItem(value);
  const items = value.elements as readonly (AnyNode | null)[];
  const odd = items.flatMap((item) => (item ? (problemOfItem(item) ?? []) : []));
  if (odd[0] !== undefined) return odd[0];
  return items.some((item) => item && (isBare(item) || item.type === 'ArrayExpression' || isNull(item)))
    ? 'a list with entries that are not objects, but n8n turns each entry into an item. Return [{ json: { … } }]'
    : undefined;
}

/** The keys that n8n allows in an item. */
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
    return 'an item whose "json" is not an object. Return { json: { … } } with the fields of the item inside';
  return other === undefined
    ? undefined
    : `an item with "${shown(other)}" next to "json", which n8n refuses. Move it into "json"`;
}

function isBare(value: AnyNode): boolean {
  return value.type === 'TemplateLiteral' || (value.type === 'Literal' && !isNull(value) && !('regex' in value));
}

function isNull(value: AnyNode): boolean {
  return value.type === 'Literal' && value.raw === 'null';
}
