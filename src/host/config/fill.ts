import type { Problem } from './problems.ts';
import { valueAt } from './schema-problems.ts';
import { isTree, type Tree } from './tree.ts';

/** What a variable puts into a gap of the file. One without a path only says what is wrong with the variable. */
export interface Fill {
  readonly variable: string;
  readonly path?: readonly string[];
  readonly value?: unknown;
  readonly problem?: { readonly message: string; readonly fix: string } | undefined;
}

/**
 * Fills the gaps of the file from the environment. A value in the file wins: whoever wrote it down meant it,
 * while a variable such as PORT may be there for another program.
 */
export function fillGaps(tree: Tree, fillsFor: (tree: Tree) => readonly Fill[]): { tree: Tree; problems: Problem[] } {
  const filled = structuredClone(tree);
  const problems: Problem[] = [];
  for (const { variable, path, value, problem } of fillsFor(filled)) {
    if (path && valueAt(filled, path) !== undefined) continue;
    if (problem) problems.push({ path: variable, ...problem });
    else if (path) put(filled, path, value);
  }
  return { tree: filled, problems };
}

/** The items of a variable that holds several, with commas between them. */
export const listIn = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

// Stops where the file has something that is no map: the schema reports that, with its line.
function put(tree: Tree, path: readonly string[], value: unknown): void {
  let node = tree;
  for (const key of path.slice(0, -1)) {
    if (node[key] === undefined) node[key] = {};
    const inner = node[key];
    if (!isTree(inner)) return;
    node = inner;
  }
  const last = path.at(-1);
  if (last !== undefined) node[last] = value;
}
