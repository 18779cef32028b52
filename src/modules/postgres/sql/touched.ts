import type { Node } from './parse.ts';

/** A name with the schema before it, if one is written. */
export interface Name {
  readonly schema: string | undefined;
  readonly name: string;
}

/** What a statement names, wherever in it. */
export interface Touched {
  /** All kinds of nodes that the tree has. */
  readonly kinds: ReadonlySet<string>;
  /** Tables and views. Names of common table expressions are among them. */
  readonly relations: readonly Name[];
  readonly functions: readonly Name[];
  /** `row.name` can be a call of a function that takes the row. */
  readonly attributes: readonly string[];
  readonly operators: readonly string[];
  readonly types: readonly Name[];
  /** Names of other databases: `other.public.users`. */
  readonly databases: readonly string[];
  /** Keys that make a read something else, such as `intoClause`. */
  readonly has: ReadonlySet<string>;
}

/** Goes through the whole tree without recursion: it may be deep. */
export function* nodesOf(root: unknown): Generator<readonly [kind: string, node: Node]> {
  const left: (readonly [string, unknown])[] = [['', root]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [key, value] = next;
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value.toReversed()) left.push([key, item]);
      continue;
    }
    yield [key, value as Node];
    for (const entry of Object.entries(value).toReversed()) left.push(entry);
  }
}

export function touchedBy(root: unknown): Touched {
  const kinds = new Set<string>();
  const has = new Set<string>();
  const relations: Name[] = [];
  const functions: Name[] = [];
  const types: Name[] = [];
  const attributes = new Set<string>();
  const operators = new Set<string>();
  const databases = new Set<string>();
  for (const [key, node] of nodesOf(root)) {
    // Nodes are wrapped as { SelectStmt: { … } }; a key in lower case is a field whose type is known.
    if (/^[A-Z]/.test(key)) kinds.add(key);
    else has.add(key);
    if (typeof node.relname === 'string') {
      relations.push({ schema: text(node.schemaname), name: node.relname });
      if (typeof node.catalogname === 'string') databases.add(node.catalogname);
    }
    if (Array.isArray(node.funcname)) functions.push(nameOf(node.funcname));
    if (Array.isArray(node.names) && 'typemod' in node) types.push(nameOf(node.names));
    if (key === 'A_Expr' && Array.isArray(node.name)) operators.add(nameOf(node.name).name);
    if (Array.isArray(node.operName)) operators.add(nameOf(node.operName).name);
    if (Array.isArray(node.useOp)) operators.add(nameOf(node.useOp).name);
    if (key === 'ColumnRef' && Array.isArray(node.fields) && node.fields.length > 1)
      attributes.add(nameOf(node.fields).name);
    if (Array.isArray(node.indirection))
      for (const part of stringsIn(node.indirection)) if (part !== '') attributes.add(part);
  }
  return {
    kinds,
    has,
    relations,
    functions,
    types,
    attributes: [...attributes].filter((name) => name !== ''),
    operators: [...operators],
    databases: [...databases],
  };
}

export const nameOf = (parts: readonly unknown[]): Name => {
  const strings = stringsIn(parts);
  return { name: strings.at(-1) ?? '', schema: strings.at(-2) };
};

/** The texts of a list of String nodes. Others, such as A_Star, are empty. */
const stringsIn = (parts: readonly unknown[]): string[] =>
  parts.map((part) => text((part as { String?: { sval?: unknown } }).String?.sval) ?? '');

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
