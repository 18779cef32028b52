import type { Node } from './parse.ts';
import { nameOf, touchedBy } from './touched.ts';

/** A value compared with itself by one of these is true, unless it is null. */
const REFLEXIVE = new Set(['=', '<=', '>=']);

/**
 * Whether a condition holds for all rows, as far as one sees at a glance: there is none, it names no column, or it compares
 * a column with itself. It finds slips and careless texts; `id > 0` counts as a condition.
 */
export function isEverything(where: unknown): boolean {
  if (where === undefined || where === null) return true;
  const [kind, node] = Object.entries(where)[0] as [string, Node];
  if (kind === 'BoolExpr') return isOfAll(node);
  const { kinds } = touchedBy(where);
  if (!kinds.has('ColumnRef') && !kinds.has('CurrentOfExpr')) return !isFalse(kind, node);
  return kind === 'A_Expr' && isReflexive(node);
}

function isOfAll({ boolop, args }: Node): boolean {
  const parts = args as readonly unknown[];
  if (boolop === 'AND_EXPR') return parts.every(isEverything);
  if (boolop === 'OR_EXPR') return parts.some(isEverything) || isEitherWay(parts);
  // NOT: what is false for no column is true.
  return !touchedBy(parts).kinds.has('ColumnRef');
}

/** `a IS NULL OR a IS NOT NULL` */
function isEitherWay(parts: readonly unknown[]): boolean {
  const tests = parts.flatMap((part): readonly Node[] => {
    const { NullTest: test } = part as { NullTest?: Node };
    return test ? [test] : [];
  });
  const of = (type: string) => tests.filter(({ nulltesttype }) => nulltesttype === type).map(({ arg }) => textOf(arg));
  const filled = of('IS_NOT_NULL');
  return of('IS_NULL').some((arg) => filled.includes(arg));
}

function isReflexive({ kind, name, lexpr, rexpr }: Node): boolean {
  const operator = nameOf(name as unknown[]).name;
  // NOT IN has the operator <>, NOT LIKE has !~~.
  if (operator === '<>' || operator.startsWith('!')) return false;
  const one = textOf(lexpr);
  const { List: list, A_Const: constant } = (rexpr ?? {}) as { List?: { items?: readonly unknown[] }; A_Const?: Node };
  const others = (list?.items ?? [rexpr]).map(textOf);
  switch (kind) {
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE':
      return /^%+$/.test((constant?.sval as { sval?: string } | undefined)?.sval ?? '');
    case 'AEXPR_IN':
      return others.includes(one);
    case 'AEXPR_OP':
      return REFLEXIVE.has(operator) && others[0] === one;
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_DISTINCT':
      return others.every((other) => other === one);
    default:
      return false;
  }
}

const isFalse = (kind: string, { boolval }: Node): boolean =>
  kind === 'A_Const' && typeof boolval === 'object' && boolval !== null && !('boolval' in boolval);

/** A tree without where each part stands in the text. */
const textOf = (tree: unknown): string =>
  JSON.stringify(tree, (key, value: unknown) => (key === 'location' ? undefined : value)) ?? '';
