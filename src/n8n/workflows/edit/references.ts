import type { Node } from '../../client/shapes.ts';

// How expressions and code refer to another node: $('A'), $node["A"], $node.A, $items("A"); in Python with _ for $.
const QUOTED = /((?:\$|(?<![\w$])_)(?:\(|node\[|items\()\s*)(['"`])((?:\\[\s\S]|(?!\2)[^\\])*)\2/g;
const DOTTED = /((?:\$|(?<![\w$])_)node)\.([A-Za-z_$][\w$]*)/g;

/** Renames a node in every expression of the parameters. */
export function renamedReferences<T>(value: T, from: string, to: string, key = ''): T {
  if (typeof value === 'string') return renamedText(value, from, to, key === 'pythonCode') as T;
  if (Array.isArray(value)) return value.map((item) => renamedReferences<unknown>(item, from, to, key)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([inner, item]) => [inner, renamedReferences<unknown>(item, from, to, inner)]),
  ) as T;
}

/** Names of the nodes whose parameters refer to this one. */
export function nodesNaming(nodes: readonly Node[], name: string): string[] {
  return nodes.filter(({ parameters }) => isNamed(parameters, name)).map((node) => node.name);
}

function isNamed(value: unknown, name: string, key = ''): boolean {
  if (typeof value === 'string') return renamedText(value, name, `${name}\u0000`, key === 'pythonCode') !== value;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([inner, item]) => isNamed(item, name, Array.isArray(value) ? key : inner));
}

function renamedText(text: string, from: string, to: string, python: boolean): string {
  if (!text.includes('$') && !python) return text;
  const ours = (head: string) => python || head.startsWith('$');
  return text
    .replace(QUOTED, (whole, head: string, quote: string, name: string) =>
      ours(head) && unescaped(name) === from ? `${head}${quote}${escaped(to, quote)}${quote}` : whole,
    )
    .replace(DOTTED, (whole, head: string, name: string) =>
      ours(head) && name === from ? `${head}["${escaped(to, '"')}"]` : whole,
    );
}

const unescaped = (text: string): string => text.replace(/\\([\s\S])/g, '$1');

const escaped = (text: string, quote: string): string => text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
