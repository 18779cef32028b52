import type { Problem } from './problems.ts';
import { valueAt } from './schema-problems.ts';
import { isTree, type Tree } from './tree.ts';

/** A value from the environment for a gap in the file. Without a path it only reports a problem or a secret. */
export interface Fill {
  readonly variable: string;
  readonly path?: readonly string[];
  readonly value?: unknown;
  readonly problem?: { readonly message: string; readonly fix: string } | undefined;
  /** What the variable leads to and nobody may see, for example the content of a file. */
  readonly secret?: string;
}

/**
 * Fills gaps in the file from the environment. A value in the file wins: it was written on purpose, while a variable
 * such as PORT may be meant for another program.
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

/** The items of a comma-separated variable. */
export const listIn = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

// Stop at a value that is not a map: the schema reports it with its line.
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
