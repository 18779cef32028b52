import type { AnyNode, Program } from 'acorn';
import { didYouMean, sentences, shown } from '../../../kernel/nearest-names.ts';
import { triedIn, type Visited, walk } from '../../expressions/javascript.ts';
import { isLuxonDate, luxonInstead } from '../../expressions/luxon-dates.ts';
import { dateMethods, dateMethodsInExpressions, methods, onlyInExpressions } from '../../expressions/methods.ts';
import { placeIn } from '../../expressions/pieces.ts';
import { type CodeText, codeTexts, type Script } from '../../expressions/texts.ts';
import type { LikelyFix } from '../../finding.ts';
import type { Rule } from '../../rule.ts';
import { meant } from '../../messages/near-choice.ts';

/**
 * Data is JSON and has no methods of its own, so a method that no string, list, number, date or object has does not
 * exist. An expression then returns nothing, and code fails.
 */
export const unknownMethod: Rule = {
  id: 'unknown-method',
  group: 'expressions',
  title: 'Every called method exists on some value: toUpperCase, not toUppercase.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const [inCode, inExpressions] = [slips(methods), slips(new Set([...methods, ...onlyInExpressions]))];
    for (const text of codeTexts(subject)) {
      const isCode = text.language === 'javascript';
      // The code of other nodes has its own objects.
      if (isCode && !text.node.type.endsWith('-base.code')) continue;
      for (const script of text.scripts) {
        for (const call of unknownCalls(script, isCode)) {
          if (call.isOfDate) {
            report({
              node: text.node.name,
              path: text.pointer,
              message: ofDateMessage(call, placeIn(text.text, placeOf(script, call)), isCode),
              ...(!call.isCertain && { severity: 'warning' as const }),
            });
            continue;
          }
          const right = (isCode ? inCode : inExpressions)(call.name);
          const isElsewhere = isCode && onlyInExpressions.has(call.name);
          const isSure = right !== undefined || isElsewhere;
          // Code can get objects in more ways than this check sees.
          if (isCode && !isSure) continue;
          const fix = fixOf(text, script, call, right);
          report({
            node: text.node.name,
            path: text.pointer,
            message: messageFor(call, placeIn(text.text, placeOf(script, call)), { right, isCode, isElsewhere }),
            // A newer n8n may have more methods.
            ...(!(isSure && call.isCertain) && { severity: 'warning' as const }),
            ...(fix && { fix }),
          });
        }
      }
    }
  },
};

function messageFor(
  { name }: Call,
  where: string,
  { right, isCode, isElsewhere }: { right: string | undefined; isCode: boolean; isElsewhere: boolean },
): string {
  if (isElsewhere) {
    return `.${name}() (${where}) exists only in expressions: in code the node fails. Write it in JavaScript, or use it in an expression of the next node.`;
  }
  const meant = didYouMean(right === undefined ? [] : [`.${right}()`], 'Use a method of JavaScript, Luxon or n8n.');
  return sentences(`No value has a method "${shown(name)}" (${where}), ${afterwards(isCode)}.`, meant);
}

function ofDateMessage({ name }: Call, where: string, isCode: boolean): string {
  const slip = luxonInstead.get(name) ?? nearDate(name);
  return `A Luxon date such as $now has no method "${shown(name)}" (${where}), ${afterwards(isCode)}. ${
    slip === undefined ? 'Use one that it has: plus, minus, startOf, toISO, toFormat.' : `Use ${slip}.`
  }`;
}

function nearDate(name: string): string | undefined {
  const near = name.length < 5 ? undefined : meant(name, dateMethodsInExpressions);
  return near && `.${near}()`;
}

const afterwards = (isCode: boolean) => (isCode ? 'so the node fails' : 'so the expression returns nothing');

/** The offset in the whole text. */
function placeOf({ start, parsed }: Script, call: Call): number {
  return start + call.start - (parsed.program ? parsed.shift : 0);
}

/** A fix contains the whole text. */
const LONGEST_FIXED = 20_000;

/** Only if the names differ just in capitals. */
function fixOf(
  { text, lead, pointer }: CodeText,
  script: Script,
  call: Call,
  right: string | undefined,
): LikelyFix | undefined {
  if (right === undefined || !isSame(right, call.name) || text.length > LONGEST_FIXED) return undefined;
  const at = placeOf(script, call);
  const value = `${'='.repeat(lead)}${text.slice(0, at)}${right}${text.slice(at + call.name.length)}`;
  return {
    description: `Call .${right}().`,
    safe: false,
    changes: `It returns the result of .${right}() instead of nothing or an error.`,
    patch: [{ op: 'replace', path: pointer, value }],
  };
}

interface Call {
  readonly name: string;
  /** The offset in the code. */
  readonly start: number;
  /** The call is reached whenever the node runs. */
  readonly isCertain: boolean;
  /** The object is a Luxon date. Other values may have the method. */
  readonly isOfDate: boolean;
}

function unknownCalls({ parsed: { program }, code }: Script, isCode: boolean): Call[] {
  // A module may bring any method.
  if (!program || !code.includes('(') || /\b(?:require|import)\s*\(/.test(code)) return [];
  const calls: Call[] = [];
  const isTried = triedIn(program, code);
  let defined: ReadonlySet<string> | undefined;
  for (const visited of walk(program)) {
    const called = methodAt(visited.node as AnyNode);
    if (!called) continue;
    const { name, start, object } = called;
    const isOfDate = isLuxonDate(object);
    if (isOfDate ? hasDate(name, isCode) : methods.has(name) || (!isCode && onlyInExpressions.has(name))) continue;
    defined ??= definedIn(program);
    // Code in a try block handles this itself.
    if (defined.has(name) || (!isOfDate && isOthers(object)) || isTried(start)) continue;
    calls.push({ name, start, isCertain: isReached(visited, isCode), isOfDate });
  }
  return calls;
}

const hasDate = (name: string, isCode: boolean) => (isCode ? dateMethods : dateMethodsInExpressions).has(name);

function methodAt(node: AnyNode) {
  if (node.type !== 'CallExpression' || node.optional) return undefined;
  const { callee } = node;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined;
  return { name: callee.property.name, start: callee.property.start, object: callee.object as AnyNode };
}

/** Another rule checks `$input.frist()`. n8n's own objects and helpers gain methods over time. */
function isOthers(object: AnyNode): boolean {
  if (object.type === 'Identifier' && object.name.startsWith('$')) return object.name !== '$json';
  if (object.type === 'CallExpression' && object.callee.type === 'Identifier' && object.callee.name === '$')
    return true;
  const root = rootOf(object);
  return root.type === 'ThisExpression' || (root.type === 'Identifier' && ownObjects.has(root.name));
}

const ownObjects = new Set(['helpers', 'console', '$execution', '$secrets', '$tool', '$agentInfo', '$evaluation']);

function rootOf(node: AnyNode): AnyNode {
  let at: AnyNode = node;
  for (;;) {
    if (at.type === 'MemberExpression') at = at.object as AnyNode;
    else if (at.type === 'CallExpression') at = at.callee as AnyNode;
    else if (at.type === 'ChainExpression') at = at.expression as AnyNode;
    else if (at.type === 'AwaitExpression') at = at.argument as AnyNode;
    else return at;
  }
}

/** Names that the code defines: methods of objects and classes, and assigned properties. */
function definedIn(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { node } of walk(program)) {
    const one = node as AnyNode;
    const key =
      one.type === 'Property' || one.type === 'MethodDefinition' || one.type === 'PropertyDefinition'
        ? (one.key as AnyNode)
        : one.type === 'AssignmentExpression' && one.left.type === 'MemberExpression'
          ? (one.left.property as AnyNode)
          : undefined;
    if (key?.type === 'Identifier') names.add(key.name);
    else if (key?.type === 'Literal') names.add(String(key.value));
  }
  return names;
}

/** No condition guards the call. n8n runs no node without items, so code for each item always runs. */
function isReached(visited: Visited, isCode: boolean): boolean {
  for (let at: Visited = visited; at.parent; at = at.parent) {
    const [child, parent] = [at.node as AnyNode, at.parent.node as AnyNode];
    switch (parent.type) {
      case 'ConditionalExpression':
      case 'IfStatement':
        if (parent.test !== child) return false;
        break;
      case 'LogicalExpression':
        if (parent.right === child) return false;
        break;
      case 'ChainExpression':
        // An expression returns nothing either way.
        if (isCode) return false;
        break;
      case 'ForOfStatement':
        if (parent.body === child && !isItems(parent.right)) return false;
        break;
      case 'SwitchCase':
      case 'ForStatement':
      case 'ForInStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'CatchClause':
      case 'ClassBody':
      case 'FunctionDeclaration':
        return false;
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        if (!isForItems(at.parent)) return false;
        break;
      default:
    }
  }
  return true;
}

function isForItems({ node, parent }: Visited): boolean {
  const call = parent?.node as AnyNode | undefined;
  if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return false;
  return (call.arguments as readonly unknown[]).includes(node) && isItems(call.callee.object);
}

/** `items`, `$input.all()`. */
function isItems(node: AnyNode): boolean {
  if (node.type === 'Identifier') return node.name === 'items';
  return (
    node.type === 'CallExpression' &&
    node.callee.type === 'MemberExpression' &&
    node.callee.object.type === 'Identifier' &&
    node.callee.object.name === '$input'
  );
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Comparing one name with all others takes a millisecond. */
const MOST_COMPARED = 50;

/** The likely method: the same name in other capitals, or one or two typos away. */
function slips(known: ReadonlySet<string>): (name: string) => string | undefined {
  const found = new Map<string, string | undefined>();
  return (name) => {
    if (!found.has(name) && found.size < MOST_COMPARED) {
      const same = [...known].find((one) => isSame(one, name));
      found.set(name, same ?? (name.length < 5 ? undefined : meant(name, known)));
    }
    return found.get(name);
  };
}
