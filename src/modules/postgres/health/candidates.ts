import type { Node } from '../sql/parse.ts';
import { nameOf, nodesOf } from '../sql/touched.ts';

/** A table as a statement names it. */
export interface NamedTable {
  readonly schema: string | undefined;
  readonly name: string;
  readonly alias: string;
}

/** How a statement uses a column: `x = 1`, `x > 1`, `ORDER BY x`. */
export interface Use {
  /** The alias of its table, if one is written. */
  readonly table: string | undefined;
  readonly column: string;
  /** `lower` of lower(column). */
  readonly func?: 'lower' | 'upper';
  readonly kind: 'equal' | 'range' | 'prefix' | 'contains' | 'join';
}

export interface Sort {
  readonly table: string | undefined;
  readonly column: string;
  readonly descending: boolean;
}

/** One SELECT, UPDATE or DELETE, also if it is inside of another. */
export interface Block {
  readonly tables: readonly NamedTable[];
  /** Each list holds together: conditions joined with AND. An OR makes more lists. */
  readonly conditions: readonly (readonly Use[])[];
  readonly sorts: readonly Sort[];
  readonly hasLimit: boolean;
}

const MOST_ARMS = 20;

/** What the statement asks of its tables. */
export function blocksOf(root: unknown): Block[] {
  const blocks: Block[] = [];
  for (const [kind, node] of nodesOf(root))
    if (BLOCKS.has(kind)) {
      const block = blockOf(node);
      if (block.tables.length > 0) blocks.push(block);
    }
  return blocks;
}

const BLOCKS = new Set(['SelectStmt', 'UpdateStmt', 'DeleteStmt']);

function blockOf(node: Node): Block {
  const tables: NamedTable[] = [];
  const quals: unknown[] = [];
  const from = [
    ...list(node.fromClause),
    ...list(node.usingClause),
    ...(node.relation ? [{ RangeVar: node.relation }] : []),
  ];
  for (let next = from.pop(); next !== undefined; next = from.pop()) {
    const { RangeVar: table, JoinExpr: join } = next as { RangeVar?: Node; JoinExpr?: Node };
    if (table) tables.push(tableOf(table));
    if (join) {
      from.push(join.larg, join.rarg);
      if (join.quals) quals.push(join.quals);
    }
  }
  if (node.whereClause) quals.push(node.whereClause);
  const arms = armsOf(quals);
  return {
    tables,
    conditions: arms.map((arm) => arm.flatMap(useOf)),
    sorts: sortsOf(node),
    hasLimit: node.limitCount !== undefined,
  };
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? [...(value as unknown[])] : []);

function tableOf(node: Node): NamedTable {
  const { schemaname, relname, alias } = node as {
    schemaname?: string;
    relname: string;
    alias?: { aliasname?: string };
  };
  return { schema: schemaname, name: relname, alias: alias?.aliasname ?? relname };
}

/** The conditions without AND and OR. The first list has those that always hold; each arm of an OR is one more. */
function armsOf(quals: readonly unknown[]): unknown[][] {
  const always: unknown[] = [];
  const arms: unknown[][] = [];
  const left = [...quals];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { BoolExpr: bool } = next as { BoolExpr?: { boolop: string; args?: unknown[] } };
    if (bool?.boolop === 'AND_EXPR') left.push(...list(bool.args).toReversed());
    else if (bool?.boolop === 'OR_EXPR') {
      for (const arm of list(bool.args).slice(0, MOST_ARMS)) {
        const { BoolExpr: inner } = arm as { BoolExpr?: { boolop: string; args?: unknown[] } };
        arms.push(inner?.boolop === 'AND_EXPR' ? list(inner.args) : [arm]);
      }
    } else always.push(next);
  }
  return [always, ...arms.slice(0, MOST_ARMS)];
}

const RANGE = new Set(['<', '>', '<=', '>=']);
const CONTAINS = new Set(['@>', '<@', '&&', '?', '?|', '?&', '@@']);

function useOf(condition: unknown): Use[] {
  const { A_Expr: operator, NullTest: nullTest } = condition as { A_Expr?: Node; NullTest?: Node };
  if (nullTest) return nullTest.nulltesttype === 'IS_NULL' ? column(nullTest.arg, 'equal') : [];
  if (!operator) {
    // A boolean column is a condition of its own; so is its negation.
    const { BoolExpr: bool } = condition as { BoolExpr?: { boolop: string; args?: unknown[] } };
    return column(bool?.boolop === 'NOT_EXPR' ? bool.args?.[0] : condition, 'equal');
  }
  const { kind, lexpr, rexpr } = operator as { kind?: string; lexpr?: unknown; rexpr?: unknown };
  const { name: sign } = nameOf(list(operator.name));
  switch (kind) {
    case 'AEXPR_OP': {
      if (CONTAINS.has(sign)) return column(lexpr, 'contains');
      if (sign === '=') return [...equal(lexpr, rexpr), ...equal(rexpr, lexpr)];
      if (!RANGE.has(sign)) return [];
      return [...(isColumn(rexpr) ? [] : column(lexpr, 'range')), ...(isColumn(lexpr) ? [] : column(rexpr, 'range'))];
    }
    case 'AEXPR_OP_ANY':
    case 'AEXPR_IN':
      return sign === '=' ? column(lexpr, 'equal') : [];
    case 'AEXPR_BETWEEN':
    case 'AEXPR_BETWEEN_SYM':
      return column(lexpr, 'range');
    case 'AEXPR_LIKE':
      return sign === '~~' && isPrefix(rexpr) ? column(lexpr, 'prefix') : [];
    default:
      return [];
  }
}

/** A value that is not a column of this row may come from another table: then it is a join. */
const equal = (of: unknown, to: unknown): Use[] => column(of, isColumn(to) ? 'join' : 'equal');

const isColumn = (node: unknown): boolean => column(node, 'equal').length > 0;

function isPrefix(pattern: unknown): boolean {
  const { A_Const: constant } = pattern as { A_Const?: { sval?: { sval?: string } } };
  const text = constant?.sval?.sval;
  // The value is not known yet: it may be a prefix.
  if (text === undefined) return 'ParamRef' in (pattern as object);
  return /^[^%_]/.test(text);
}

function column(node: unknown, kind: Use['kind']): Use[] {
  const { ColumnRef: ref, FuncCall: call } = (node ?? {}) as { ColumnRef?: { fields?: unknown[] }; FuncCall?: Node };
  if (ref) {
    const { name, schema: table } = nameOf(list(ref.fields));
    return name === '' ? [] : [{ table, column: name, kind }];
  }
  const [argument, ...others] = list(call?.args);
  const { name: func } = nameOf(list(call?.funcname));
  if (!call || argument === undefined || others.length > 0 || (func !== 'lower' && func !== 'upper')) return [];
  return column(argument, kind)
    .filter((use) => use.func === undefined)
    .map((use) => ({ ...use, func }));
}

function sortsOf(node: Node): Sort[] {
  const sorts = list(node.sortClause).map((item) => {
    const { SortBy: by } = item as { SortBy?: { node?: unknown; sortby_dir?: string; sortby_nulls?: string } };
    const [use] = column(by?.node, 'equal');
    if (!use || use.func !== undefined || by?.sortby_nulls !== 'SORTBY_NULLS_DEFAULT') return undefined;
    return { table: use.table, column: use.column, descending: by.sortby_dir === 'SORTBY_DESC' };
  });
  // An index helps with the first columns only if it has them all in their order.
  const end = sorts.indexOf(undefined);
  return (end === -1 ? sorts : sorts.slice(0, end)).filter((sort) => sort !== undefined);
}

/** One column of an index. */
export interface Key {
  readonly column: string;
  readonly func?: 'lower' | 'upper';
  readonly descending?: true;
  /** For LIKE 'x%' in databases whose collation is not C. */
  readonly pattern?: true;
}

export interface Candidate {
  readonly method: 'btree' | 'gin';
  readonly keys: readonly Key[];
}

const MOST_KEYS = 4;

const distinct = (keys: readonly Key[]): Key[] =>
  keys.filter((key, at) => keys.findIndex((one) => one.column === key.column && one.func === key.func) === at);

/** The indexes that could help a block with one of its tables. `isOf` says whether a column belongs to the table. */
export function candidatesFor(
  block: Block,
  isOf: (use: { table: string | undefined; column: string }) => boolean,
): Candidate[] {
  const found: Candidate[] = [];
  const add = (keys: readonly Key[]) => {
    const unique = distinct(keys).slice(0, MOST_KEYS);
    if (unique.length > 0) found.push({ method: 'btree', keys: unique });
  };
  const sorts: Key[] = [];
  for (const sort of block.sorts) {
    if (!isOf(sort)) break;
    sorts.push({ column: sort.column, ...(sort.descending && { descending: true }) });
  }
  const [always = [], ...arms] = block.conditions.map((uses) => uses.filter(isOf));
  for (const uses of [always, ...arms]) {
    const of = (...kinds: Use['kind'][]) =>
      uses
        .filter(({ kind }) => kinds.includes(kind))
        .map(
          ({ column: name, func, kind }): Key => ({
            column: name,
            ...(func !== undefined && { func }),
            ...(kind === 'prefix' && { pattern: true }),
          }),
        );
    const equals = of('equal');
    const joins = of('join');
    const ranges = of('range', 'prefix');
    // Equal values first: what follows is then sorted within them.
    for (const range of ranges.slice(0, 3)) add([...equals, ...joins, range]);
    if (sorts.length > 0 && equals.length > 0) add([...equals, ...sorts]);
    add([...equals, ...joins]);
    for (const range of ranges.slice(0, 3)) add([...equals, range]);
    add(equals);
    for (const join of joins.slice(0, 3)) add([join, ...equals]);
    for (const key of [...equals, ...joins].slice(0, 4)) add([key]);
    for (const key of of('contains').slice(0, 2)) found.push({ method: 'gin', keys: [key] });
  }
  if (sorts.length > 0 && block.hasLimit) add(sorts);
  const seen = new Set<string>();
  return found.filter((candidate) => {
    const text = JSON.stringify(candidate);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}
