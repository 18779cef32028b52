import { AppError } from '../../kernel/errors.ts';
import type { Path } from '../definition/finding.ts';
import { isSecretName } from './secret-values.ts';
import { statementKind } from '../definition/statement.ts';

/** Arguments that are nested more deeply cannot be saved. */
export const DEEPEST = 40;

/** Where a value is in the arguments of a call. */
export interface Leaf {
  readonly tool: string;
  readonly path: Path;
  /** The nearest key. */
  readonly name: string;
  /** Whether a key above it says that it is a secret. */
  readonly secret: boolean;
  readonly statement: 'sql' | 'cypher' | undefined;
}

export const leafOf = (tool: string): Leaf => ({ tool, path: [], name: '', secret: false, statement: undefined });

/** A list or an object with each of its values replaced. */
export function mapped(value: unknown, leaf: Leaf, replace: (value: unknown, leaf: Leaf) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (leaf.path.length >= DEEPEST)
    throw new AppError(
      'invalid_input',
      `The arguments of ${leaf.tool} are nested more than ${DEEPEST} levels deep. Leave this call out.`,
    );
  if (Array.isArray(value)) return value.map((one, index) => replace(one, { ...leaf, path: [...leaf.path, index] }));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const inner: Leaf = {
        ...leaf,
        path: [...leaf.path, key],
        name: key,
        secret: leaf.secret || isSecretName(key),
        statement: statementKind(key, leaf.tool) ?? leaf.statement,
      };
      return [key, replace(one, inner)];
    }),
  );
}
