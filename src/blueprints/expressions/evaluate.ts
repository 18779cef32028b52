import { type CelInput, type CelResult, celError, isCelError, plan } from '@bufbuild/cel';
import { AppError } from '../../kernel/errors.ts';
import { AS_JSON, environment } from './functions.ts';
import { createMisses } from './misses.ts';
import { celObject, celValue } from './scope-values.ts';
import { quotedSource, MOST_BYTES, tooLarge } from './limits.ts';
import { type Node, type Parsed, parsed } from './parsing.ts';
import { whyNot } from './why-not.ts';

export interface Scope {
  /** Variables by name. */
  readonly variables: readonly (readonly [name: string, value: unknown])[];
  /** All steps, for errors: the variable `steps` has only those that the expressions name. */
  readonly stepNames: readonly string[];
}

/** The values of expressions, as JSON texts. `begin` is told which one is next. */
export function evaluate(sources: readonly string[], scope: Scope, begin: (index: number) => void): string[] {
  const misses = createMisses();
  // Without a prototype: the library reads variables as members of this object.
  const variables = Object.create(null) as Record<string, CelInput>;
  for (const [name, value] of scope.variables)
    variables[name] =
      name === 'steps' ? celObject(value as object, misses.add, () => scope.stepNames) : celValue(value, misses.add);

  let left = MOST_BYTES;
  return sources.map((source, index) => {
    begin(index);
    misses.clear();
    const tree = parsed(source);
    if ('problem' in tree) throw refused(source, tree.problem.message);
    const text = resultOf(tree, variables);
    if (isCelError(text)) {
      const { code, message } = whyNot(text, tree.expr, misses.near);
      throw refused(source, message, code);
    }
    left -= Buffer.byteLength(text as string);
    if (left < 0) throw refused(source, tooLarge().message, 'too_large');
    return text as string;
  });
}

const refused = (source: string, why: string, code: AppError['code'] = 'invalid_input'): AppError =>
  new AppError(code, `${quotedSource(source)}: ${why}`);

/** Converts the value while it is evaluated: only then the library can read times and durations in a list. */
function resultOf({ expr }: Parsed, variables: Record<string, CelInput>): CelResult {
  const whole: Node = {
    $typeName: 'cel.expr.Expr',
    id: 0n,
    exprKind: { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: AS_JSON, args: [expr] } },
  };
  try {
    return plan(environment, whole)(variables);
  } catch (error) {
    return celError(error);
  }
}
