import { isQualified, wrongCall } from './known-functions.ts';
import { type Node, type Parsed, type Problem, parsed } from './parsing.ts';
import { nodesIn, textIn } from './tree.ts';

/** What an expression refers to. */
export interface Uses {
  /** Its free variables. */
  readonly roots: ReadonlySet<string>;
  readonly steps: ReadonlySet<string>;
  readonly inputs: ReadonlySet<string>;
  /** Whether all of it is one call of `ident(…)`. */
  readonly isIdent: boolean;
}

export type Analysis = { readonly problem: Problem } | Uses;

type Found = Record<'roots' | 'steps' | 'inputs', Set<string>>;
type Names = ReadonlySet<string>;
/** A part of an expression, and the variables that comprehensions around it have declared. */
type Part = readonly [node: Node, bound: Names];

/** Names of types are values: `type(x) == int`. */
export const typeNames: Names = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
]);

/** Reads an expression without evaluating it. */
export function analyse(source: string): Analysis {
  const tree = parsed(source);
  if ('problem' in tree) return tree;
  const found: Found = { roots: new Set(), steps: new Set(), inputs: new Set() };
  const problem = look(tree, found);
  return problem ? { problem } : { ...found, isIdent: isIdent(tree.expr) };
}

const isIdent = ({ exprKind }: Node): boolean =>
  exprKind.case === 'callExpr' && exprKind.value.function === 'ident' && exprKind.value.args.length === 1;

/** The first problem ends it. A list of what is left instead of recursion: `!!!…` is as deep as it is long. */
function look({ expr, sourceInfo }: Parsed, found: Found): Problem | undefined {
  const left: Part[] = [[expr, new Set()]];
  for (let part = left.pop(); part; part = left.pop()) {
    const [node, bound] = part;
    const inside = partsOf(node, bound, found);
    if (typeof inside === 'string') {
      const positions = new Map(Object.entries(sourceInfo?.positions ?? {}));
      return { message: inside, offset: positions.get(String(node.id)) };
    }
    left.push(...inside);
  }
  return undefined;
}

/** Notes what a node refers to. Returns the nodes in it, or what is wrong with it. */
function partsOf(node: Node, bound: Names, found: Found): readonly Part[] | string {
  const { exprKind } = node;
  const all = (nodes: readonly Node[], names = bound): Part[] => nodes.map((one) => [one, names]);
  switch (exprKind.case) {
    case 'identExpr':
      return variable(exprKind.value.name, bound, found);
    case 'selectExpr': {
      const { operand, field } = exprKind.value;
      if (noted(operand, field, bound, found)) return [];
      const step = stepIn(operand, bound);
      return step === undefined || ofStep.includes(field)
        ? all(nodesIn(node))
        : `A step has ${ofStep.join(' and ')}. Write steps.${step}.result.${field}.`;
    }
    case 'callExpr': {
      const { function: name, target, args } = exprKind.value;
      if (name === '_[_]' && noted(args[0], textIn(args[1]), bound, found)) return [];
      // `strings` in strings.quote(x) is not a variable.
      return wrongCall(name, target) ?? all(isQualified(name, target) ? args : nodesIn(node));
    }
    case 'structExpr':
      if (exprKind.value.messageName !== '') return 'Write an object as {"key": value}, without a name before it.';
      return all(nodesIn(node));
    case 'comprehensionExpr': {
      const { iterRange, iterVar, accuVar } = exprKind.value;
      const within = new Set([...bound, iterVar, accuVar]);
      return nodesIn(node).map((one) => [one, one === iterRange ? bound : within]);
    }
    default:
      return all(nodesIn(node));
  }
}

function variable(name: string, bound: Names, { roots }: Found): readonly Part[] | string {
  if (bound.has(name) || typeNames.has(name)) return [];
  if (name === 'steps') return 'Name the step literally, for example steps.database.result.';
  roots.add(name);
  return [];
}

const ofStep: readonly string[] = ['result', 'skipped'];

/** NAME, if the node is `steps.NAME`. */
function stepIn(node: Node | undefined, bound: Names): string | undefined {
  if (node?.exprKind.case !== 'selectExpr') return undefined;
  const { operand, field } = node.exprKind.value;
  const isSteps = operand?.exprKind.case === 'identExpr' && operand.exprKind.value.name === 'steps';
  return isSteps && !bound.has('steps') ? field : undefined;
}

/** Notes `steps.NAME` and `inputs.NAME`. Returns false for anything else. */
function noted(of: Node | undefined, member: string | undefined, bound: Names, found: Found): boolean {
  if (of?.exprKind.case !== 'identExpr' || member === undefined) return false;
  const { name } = of.exprKind.value;
  if ((name !== 'steps' && name !== 'inputs') || bound.has(name)) return false;
  found.roots.add(name);
  found[name].add(member);
  return true;
}
