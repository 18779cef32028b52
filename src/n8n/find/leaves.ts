import type { Node } from '../client/shapes.ts';

/** A string inside a node, with its path. */
export interface Leaf {
  readonly where: string;
  /** The last name in the path. */
  readonly key: string;
  readonly text: string;
}

const DEEPEST = 30;

/** Every string and number in the parameters of a node. */
export function* leavesOf({ parameters }: Node): Generator<Leaf> {
  yield* walk(parameters, 'parameters', '', 0);
}

function* walk(value: unknown, where: string, key: string, depth: number): Generator<Leaf> {
  if (typeof value === 'string') yield { where, key, text: value };
  else if (typeof value === 'number') yield { where, key, text: String(value) };
  else if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* walk(item, `${where}[${index}]`, key, depth + 1);
  } else {
    for (const [name, inner] of Object.entries(value)) yield* walk(inner, `${where}.${name}`, name, depth + 1);
  }
}
