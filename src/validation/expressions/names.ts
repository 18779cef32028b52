import type { AnyNode, Expression, Node, Program } from 'acorn';
import { type Visited, walk } from './javascript.ts';

/** The names in a piece of JavaScript. */
export interface Names {
  readonly references: readonly NodeReference[];
  /** Names that the code does not declare, each once. */
  readonly free: readonly { readonly name: string; readonly start: number; readonly called: boolean }[];
  /** There is a `return` outside of inner functions. */
  readonly returns: boolean;
  /** The returned expressions. */
  readonly returned: readonly Expression[];
}

/** A reference to another node: `$('A')`, `$node['A']`, `$items('A')`. */
export interface NodeReference {
  readonly name: string;
  readonly form: '$' | '$node' | '$items';
  /** The member that is read: `item`, `first`, `json`, … */
  readonly member: string | undefined;
  /** The offsets of the name, including its quotes if there are any. */
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  /** The code catches an error there. */
  readonly inTry: boolean;
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

export function namesIn(program: Program): Names {
  const found: NodeReference[] = [];
  const used = new Map<string, { name: string; start: number; called: boolean }>();
  const declared = new Set<string>(['arguments', 'undefined']);
  const returned: Expression[] = [];
  let returns = false;
  for (const visited of walk(program)) {
    const node = visited.node as AnyNode;
    declare(node, declared);
    if (node.type === 'ReturnStatement' && !above(visited, functions)) {
      returns = true;
      if (node.argument) returned.push(node.argument);
    }
    const reference = referenceAt(visited);
    if (reference) found.push(reference);
    if (node.type === 'Identifier' && isUse(visited) && !used.has(node.name)) {
      const parent = visited.parent?.node as AnyNode | undefined;
      const called = parent?.type === 'CallExpression' && parent.callee === node;
      used.set(node.name, { name: node.name, start: node.start, called });
    }
  }
  return {
    // HTML parsers are often called $: then $('h1') is not a node.
    references: found.filter(({ form }) => !declared.has(form)),
    free: [...used.values()].filter(({ name }) => !declared.has(name)),
    returns,
    returned,
  };
}

function referenceAt(visited: Visited): NodeReference | undefined {
  const node = visited.node as AnyNode;
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier') {
    const form = node.callee.name;
    const name = textOf(node.arguments[0]);
    if ((form !== '$' && form !== '$items') || name === undefined) return undefined;
    return { ...name, form, member: memberOf(visited), inTry: isInTry(visited) };
  }
  if (node.type !== 'MemberExpression' || !isNodeVariable(node.object)) return undefined;
  const property = node.property as AnyNode;
  const name = node.computed ? textOf(property) : undefined;
  if (name) return { ...name, form: '$node', member: memberOf(visited), inTry: isInTry(visited) };
  if (node.computed || property.type !== 'Identifier') return undefined;
  return {
    name: property.name,
    start: property.start,
    end: property.end,
    quoted: false,
    form: '$node',
    member: memberOf(visited),
    inTry: isInTry(visited),
  };
}

/** `$node`, and the older `$item(0).$node`. */
function isNodeVariable(node: AnyNode): boolean {
  if (node.type === 'Identifier') return node.name === '$node';
  return (
    node.type === 'MemberExpression' &&
    !node.computed &&
    node.property.type === 'Identifier' &&
    node.property.name === '$node'
  );
}

function textOf(given: Node | undefined) {
  const node = given as AnyNode | undefined;
  if (node?.type === 'Literal' && typeof node.value === 'string') {
    return { name: node.value, start: node.start, end: node.end, quoted: true };
  }
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) {
    const name = node.quasis[0]?.value.cooked;
    return typeof name === 'string' ? { name, start: node.start, end: node.end, quoted: true } : undefined;
  }
  return undefined;
}

function memberOf({ node, parent }: Visited): string | undefined {
  const above = parent?.node as AnyNode | undefined;
  if (above?.type !== 'MemberExpression' || above.object !== node) return undefined;
  const property = above.property as AnyNode;
  if (!above.computed) return property.type === 'Identifier' ? property.name : undefined;
  return textOf(property)?.name;
}

function isInTry(visited: Visited): boolean {
  for (let at: Visited | undefined = visited; at?.parent; at = at.parent) {
    const parent = at.parent.node as AnyNode;
    if (parent.type === 'TryStatement' && parent.block === at.node && parent.handler) return true;
  }
  return false;
}

function above(visited: Visited, types: ReadonlySet<string>): boolean {
  for (let at = visited.parent; at; at = at.parent) if (types.has(at.node.type)) return true;
  return false;
}

/** Not the name of a property, a method or a label. */
function isUse({ node, parent }: Visited): boolean {
  const above = parent?.node as AnyNode | undefined;
  switch (above?.type) {
    case 'MemberExpression':
      return above.object === node || above.computed;
    case 'Property':
      return above.value === node || above.computed;
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return above.value === node || above.computed;
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
      return false;
    default:
      return true;
  }
}

function declare(node: AnyNode, into: Set<string>): void {
  switch (node.type) {
    case 'VariableDeclarator':
      names(node.id, into);
      return;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      if (node.id) into.add(node.id.name);
      for (const one of node.params) names(one, into);
      return;
    case 'ClassDeclaration':
    case 'ClassExpression':
      if (node.id) into.add(node.id.name);
      return;
    case 'CatchClause':
      if (node.param) names(node.param, into);
      return;
    case 'AssignmentExpression':
      if (node.left.type === 'Identifier') into.add(node.left.name);
      return;
    // Without strict mode, for (one of many) declares the name.
    case 'ForOfStatement':
    case 'ForInStatement':
      if (node.left.type === 'Identifier') into.add(node.left.name);
      return;
    default:
  }
}

function names(pattern: Node, into: Set<string>): void {
  for (const { node } of walk(pattern))
    if (node.type === 'Identifier') into.add((node as Node & { name: string }).name);
}
