import type { AnyNode } from 'acorn';
import { triedIn, type Visited, walk } from '../../expressions/javascript.ts';
import { codeTexts, type Script } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** The members of each, and where its data is. */
const members = {
  $: {
    known: new Set(['item', 'first', 'last', 'all', 'itemMatching', 'pairedItem', 'params', 'context', 'isExecuted']),
    shown: "$('…')",
    advice: 'Its data is in .item.json, or in .first().json.',
  },
  $input: {
    known: new Set(['item', 'first', 'last', 'all', 'params', 'context']),
    shown: '$input',
    advice: 'Data is in $input.item.json, or in $input.all().',
  },
} as const;

const functions = new Set(['first', 'last', 'all']);

/** `$('Node').json` is undefined, and n8n does not report it. */
export const unknownMember: Rule = {
  id: 'unknown-member',
  group: 'expressions',
  title: "Code and expressions use only members that $('…') and $input have, and call those that are functions.",
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, pointer, scripts } of codeTexts(subject)) {
      for (const script of scripts) {
        for (const message of wrongIn(script)) report({ node: node.name, path: pointer, message });
      }
    }
  },
};

function wrongIn({ names, code, parsed }: Script): ReadonlySet<string> {
  const found = new Set<string>();
  // Code in a try block handles this itself, and a locally defined $ is another one.
  const free = new Set(names.free.map(({ name }) => name));
  if (!parsed.program || !(free.has('$') || free.has('$input'))) return found;
  const isTried = triedIn(parsed.program, code);
  for (const visited of walk(parsed.program)) {
    const wrong = problemAt(visited, free);
    if (wrong !== undefined && !isTried(visited.node.start)) found.add(wrong);
  }
  return found;
}

function problemAt(visited: Visited, free: ReadonlySet<string>): string | undefined {
  const node = visited.node as AnyNode;
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return undefined;
  const kind = kindOf(node.object);
  if (!kind || !free.has(kind)) return undefined;
  const { known, shown, advice } = members[kind];
  const { name } = node.property;
  if (!known.has(name)) return `${shown} has no "${name}". ${advice}`;
  const above = visited.parent?.node as AnyNode | undefined;
  const isRead = above?.type === 'MemberExpression' && above.object === node;
  if (functions.has(name) && isRead) return `"${name}" of ${shown} is a function: write .${name}().`;
  const isCalled = above?.type === 'CallExpression' && above.callee === node;
  return name === 'item' && isCalled
    ? `"item" of ${shown} is not a function: write .item without brackets.`
    : undefined;
}

function kindOf(object: AnyNode): keyof typeof members | undefined {
  if (object.type === 'Identifier') return object.name === '$input' ? '$input' : undefined;
  const isNode = object.type === 'CallExpression' && object.callee.type === 'Identifier' && object.callee.name === '$';
  return isNode ? '$' : undefined;
}
