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
  /** The nearest key. Of `{ name: "X-Api-Key", value: "…" }` that is X-Api-Key. */
  readonly name: string;
  /** Whether a key above it, or the option before it in a list, says that it is a secret. */
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
  if (Array.isArray(value))
    return value.map((one, index) => {
      const secret = leaf.secret || isSecretOption(value[index - 1]);
      return replace(one, { ...leaf, path: [...leaf.path, index], secret });
    });
  const label = labelIn(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const name = VALUE.test(key) ? (label ?? key) : key;
      const inner: Leaf = {
        ...leaf,
        path: [...leaf.path, key],
        name,
        secret: leaf.secret || isSecretName(key) || isSecretName(name),
        statement: statementKind(key, leaf.tool) ?? leaf.statement,
      };
      return [key, replace(one, inner)];
    }),
  );
}

const VALUE = /^(?:field_?)?val(?:ue)?$/i;
const LABELS = ['name', 'key', 'field', 'fieldName', 'fieldId', 'header', 'variable'];

/** What the value of a pair is called: headers, fields and variables are often lists of pairs. */
function labelIn(value: object): string | undefined {
  for (const key of LABELS) {
    const label: unknown = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
    if (typeof label === 'string' && /^[\w.-]{1,60}$/.test(label)) return label;
  }
  return undefined;
}

/** `--password` in `["--password", "…"]`. */
const isSecretOption = (before: unknown): boolean =>
  typeof before === 'string' && /^--?[A-Za-z][\w-]{0,60}$/.test(before) && isSecretName(before.replace(/^-+/, ''));
