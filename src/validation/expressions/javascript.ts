import { type Node, type Options, type Program, parse } from 'acorn';

/** What acorn made of a text, or why it could not, and where. */
export type Parsed =
  | { readonly program: Program; readonly shift: number; readonly problem?: undefined }
  | { readonly problem: string; readonly offset: number; readonly program?: undefined };

/** Then nobody knows whether n8n can read it. */
export const TOO_DEEP = 'it is nested too deeply';

const options: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowAwaitOutsideFunction: true,
  allowHashBang: false,
};

/** The code of one `{{ … }}`. What begins with a brace is an object there, not a block. */
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
    // The parser calls itself for every bracket, and the stack has an end.
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
  return found === '' || (shift > 0 && pos >= source.length - 1) ? 'it ends too early' : `"${found}" is not expected`;
}

/** A node of the tree with the way to it. */
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

/** The last one in is the next one out, and the first child shall be that. */
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
 * Whether a failure at this place of the code may be caught: within a `try`, or within a function, which may be called
 * from one.
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
