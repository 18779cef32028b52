import { AppError } from '../../kernel/errors.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import type { Action } from '../definition/shape.ts';
import { statementKind } from '../definition/statement.ts';

/**
 * Refuses statements that came with a value: `statements: "${inputs.list}"` would bring SQL past the check of the
 * definition, which sees only what is written in it.
 */
export function refuseSqlFromValues(written: Action, filled: Action): void {
  if (written.kind === 'tool' && filled.kind === 'tool') compare(written.arguments, filled.arguments, filled.tool);
}

function compare(written: unknown, filled: unknown, tool: string): void {
  if (Array.isArray(filled)) {
    filled.forEach((one, at) => compare(Array.isArray(written) ? written[at] : undefined, one, tool));
    return;
  }
  if (!isObject(filled)) return;
  for (const [key, value] of Object.entries(filled)) {
    const before = isObject(written) && Object.hasOwn(written, key) ? written[key] : undefined;
    if (before === undefined && isStatement(value) && statementKind(key, tool))
      throw new AppError(
        'invalid_input',
        `A value brings its own ${key}. Write the statement in the blueprint, and pass values as params or with ident().`,
      );
    compare(before, value, tool);
  }
}

/** Some tools take a statement in parts. */
const isStatement = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null);
