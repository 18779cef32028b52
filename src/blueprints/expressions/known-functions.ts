import { didYouMean, inQuotes, nearestNames, sentences } from '../../kernel/nearest-names.ts';
import { environment } from './functions.ts';
import type { Node } from './parsing.ts';

/** The parser replaces these. One that is still there was not written as it must be. */
const macros = new Map([
  ['has', 'Give has() a member, for example has(inputs.name).'],
  ...['all', 'exists', 'exists_one', 'filter', 'map'].map((name): [string, string] => [
    name,
    `Give ${name}() a variable and an expression, for example x.${name}(item, item.${name === 'map' ? 'id' : 'id > 1'}).`,
  ]),
]);

const isOperator = (name: string): boolean => !/^[A-Za-z]/.test(name);

const functions = new Set<string>();
const methods = new Set<string>();
for (const { name, target } of environment.funcs) if (!isOperator(name)) (target ? methods : functions).add(name);

/** What is wrong with the name of a called function. */
export function wrongCall(name: string, target: Node | undefined): string | undefined {
  if (isOperator(name)) return undefined;
  if (target ? methods.has(name) || isQualified(name, target) : functions.has(name)) return undefined;
  const macro = macros.get(name);
  if (macro !== undefined) return macro;
  if (!target && methods.has(name)) return `Write ${name} after a value: x.${name}(…).`;
  if (target && functions.has(name)) return `Write ${name} before its value: ${name}(x).`;
  const known = [...(target ? methods : functions), ...macros.keys()];
  return sentences(`There is no function "${name}".`, didYouMean(inQuotes(nearestNames(name, known, 1))));
}

/** Whether what stands before the dot belongs to the name: strings.quote(x). */
export const isQualified = (name: string, target: Node | undefined): boolean =>
  target?.exprKind.case === 'identExpr' && functions.has(`${target.exprKind.value.name}.${name}`);
