import { type Node, type Options, type Program, parse } from 'acorn';

/** The tree from acorn, or the syntax error and its offset. */
export type Parsed =
  | { readonly program: Program; readonly shift: number; readonly problem?: undefined }
  | { readonly problem: string; readonly offset: number; readonly program?: undefined };

/** It is unknown whether n8n can parse this. */
export const TOO_DEEP = 'it is nested too deeply';

const options: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowAwaitOutsideFunction: true,
  allowHashBang: false,
};

/** The code of one `{{ … }}`. A leading brace starts an object there, not a block. */
export function parseExpression(code: string): Parsed {
  const isWrapped = code.trimStart().startsWith('{');
  return parsed(isWrapped ? `(${code})` : code, isWrapped ? 1 : 0, options);
}

/** The code of a node: the body of an asynchronous function. */
export function parseBody(code: string): Parsed {
  return parsed(code, 0, { ...options, allowReturnOutsideFunction: true });
}

function parsed(source: string, shift: number, how: Options): Parsed {
  try {
    return { program: parse(source, how), shift };
  } catch (error) {
    const isFault = error instanceof SyntaxError && 'pos' in error && typeof error.pos === 'number';
    // The parser recurses for every bracket and runs out of stack.
    if (!isFault || error.message.startsWith('Not enough stack')) return { problem: TOO_DEEP, offset: 0 };
    const pos = error.pos as number;
    const offset = Math.min(Math.max(pos - shift, 0), source.length - 2 * shift);
    return { problem: wording(error.message, source, pos, shift), offset };
  }
}

function wording(message: string, source: string, pos: number, shift: number): string {
  const bare = message.replace(/ \(\d+:\d+\)$/, '');
  const plain = bare.charAt(0).toLowerCase() + bare.slice(1);
  if (plain !== 'unexpected token') return plain;
  const found = source.slice(pos, pos + 1);
  return found === '' || (shift > 0 && pos >= source.length - 1) ? 'it ends too early' : `unexpected "${found}"`;
}

/** A node of the tree with its ancestors. */
export interface Visited {
  readonly node: Node;
  readonly parent: Visited | undefined;
}

/** Every node, without recursion: a sum of ten thousand terms is ten thousand deep. */
export function* walk(root: Node): Generator<Visited> {
  const open: Visited[] = [{ node: root, parent: undefined }];
  for (let visited = open.pop(); visited; visited = open.pop()) {
    yield visited;
    const from = open.length;
    pushChildren(visited, open);
    turnAround(open, from);
  }
}

function pushChildren(parent: Visited, open: Visited[]): void {
  const node = parent.node as unknown as Record<string, unknown>;
  for (const key in node) {
    const value = node[key];
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const one of value as unknown[]) if (isNode(one)) open.push({ node: one, parent });
    } else if (isNode(value)) open.push({ node: value, parent });
  }
}

/** Reverses the new entries, so that the stack returns the first child first. */
function turnAround(list: Visited[], from: number): void {
  for (let left = from, right = list.length - 1; left < right; left++, right--) {
    const kept = list[left] as Visited;
    list[left] = list[right] as Visited;
    list[right] = kept;
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/**
 * Whether the code may catch an error at this offset: inside a `try`, or inside a function, which may be called from
 * one.
 */
export function triedIn(program: Program, code: string): (place: number) => boolean {
  if (!/\btry\s*\{/.test(code)) return () => false;
  const ranges: Node[] = [];
  for (const { node } of walk(program)) if (catching.has(node.type)) ranges.push(node);
  return (place) => ranges.some(({ start, end }) => start <= place && place < end);
}

const catching: ReadonlySet<string> = new Set([
  'TryStatement',
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);
