import type { CelError } from '@bufbuild/cel';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { sentences, shown } from '../../kernel/nearest-names.ts';
import { someOf } from '../../kernel/some-of.ts';
import type { Node } from './parsing.ts';
import { allNodes, textIn } from './tree.ts';

/** The keys of the object in which a key was not found. */
export type NamesNear = (key: string) => readonly string[] | undefined;

const LONGEST_NAME = 60;

/**
 * Says why an expression has no value. The library's own messages quote values, and a value may be a secret. So this says
 * nothing but words of ours, names of types, names that are written in the expression, and keys.
 */
export function whyNot(error: CelError, root: Node, near: NamesNear): { code: ErrorCode; message: string } {
  if (error.cause instanceof AppError) return error.cause;
  return { code: 'invalid_input', message: words(error, root, near) };
}

function words({ message, exprId }: CelError, root: Node, near: NamesNear): string {
  const node = [...allNodes(root)].find(({ id }) => id === exprId);
  const key = /^field not found: (.*)$/s.exec(message)?.[1];
  if (key !== undefined) return missing(key, isWritten(key, root), near(key));
  if (message === 'unresolved attribute') return noVariable(node);
  const overload = /^found no matching overload for '?([^' ]+)'? applied to '(.*)'$/.exec(message);
  if (overload) return unfit(overload[1] as string, overload[2] as string);
  const type = /^type mismatch: (expected bool, got|iterable vs) (\w+)/.exec(message);
  if (type) return `It needs ${type[1] === 'iterable vs' ? 'a list' : 'true or false'}, and got ${type[2]}.`;
  const known = sayings.find(([pattern]) => pattern.test(message));
  if (known) return known[1];
  const name = node?.exprKind.case === 'callExpr' ? node.exprKind.value.function : '';
  return /^\w+$/.test(name) ? `${name}() cannot use the value that it got.` : 'It has no value.';
}

const sayings: readonly (readonly [RegExp, string])[] = [
  [/^index \S+ out of bounds/, 'An index is out of range.'],
  [/(?:divide|modulus) by zero$/, 'It divides by zero.'],
  [/^u?int overflow/, 'A whole number is too large, or a value is not a whole number.'],
  [/^unsupported key type/, 'A key has a type that a key cannot have.'],
  [/^map key conflict/, 'An object has the same key twice.'],
  [/^Maximum call stack/, 'It nests too deep.'],
  [/^Invalid (?:string|array) length/, 'A value in it is too large.'],
];

function missing(key: string, written: boolean, names: readonly string[] | undefined): string {
  const what = written
    ? `"${shown(key, LONGEST_NAME)}" is missing there.`
    : 'The key that it computes is missing there.';
  if (!names) return what;
  if (names.length === 0) return sentences(what, 'The object is empty.');
  return sentences(what, `Keys there: ${someOf(names.map((name) => shown(name, LONGEST_NAME)))}.`);
}

function isWritten(key: string, root: Node): boolean {
  for (const node of allNodes(root))
    if ((node.exprKind.case === 'selectExpr' && node.exprKind.value.field === key) || textIn(node) === key) return true;
  return false;
}

function noVariable(node: Node | undefined): string {
  const name = node?.exprKind.case === 'identExpr' ? node.exprKind.value.name : undefined;
  return name === undefined
    ? 'A variable in it does not exist.'
    : `There is no variable "${shown(name, LONGEST_NAME)}".`;
}

/** `_+_` applied to `(int, string)`, `split` applied to `string.(int)`. */
function unfit(name: string, given: string): string {
  const types = given
    .replaceAll(/[()]|dyn/g, ' ')
    .split(/[\s,.]+/)
    .filter((type) => type !== '');
  const operator = name.replaceAll(/[_@]/g, '');
  const what = /^\w+$/.test(name) ? `${name}()` : `"${operator}"`;
  const got = types.length === 0 ? 'that' : types.join(' and ');
  return sentences(`${what} does not work with ${got}.`, conversion(name, types));
}

function conversion(name: string, types: readonly string[]): string {
  if (types.includes('null_type')) return 'A value is null: test it with x != null first.';
  const numbers = types.filter((type) => ['int', 'uint', 'double'].includes(type));
  if (numbers.length > 0 && types.includes('string')) return 'Convert one of them, for example with string(x).';
  if (numbers.length < 2 || numbers.length < types.length) return '';
  return `Convert with ${name === '_%_' ? 'int' : 'double'}(x).`;
}
