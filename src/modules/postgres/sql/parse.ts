import { AppError, messageOf } from '../../../kernel/errors.ts';
import { driver } from '../../driver.ts';
import { isTooDeep } from './depth.ts';

/** A node of the tree that PostgreSQL's own parser makes. */
export type Node = Readonly<Record<string, unknown>>;

export interface Statement {
  /** What it is: `SelectStmt`, `DropStmt`, …. */
  readonly kind: string;
  readonly node: Node;
  /** The statement without the semicolon and what surrounds it. */
  readonly sql: string;
}

export const LONGEST_SQL = 50_000;

/** Parses exactly one statement with PostgreSQL's own parser. */
export async function parseSql(sql: string): Promise<Statement> {
  if (sql.length > LONGEST_SQL)
    throw new AppError(
      'too_large',
      `The SQL has ${sql.length} characters; ${LONGEST_SQL} are the limit. Pass long values in params.`,
    );
  if (sql.includes('\0')) throw new AppError('invalid_input', 'The SQL contains a null character. Remove it.');
  if (sql.trim() === '') throw new AppError('invalid_input', 'The SQL is empty. Write one statement.');
  if (isTooDeep(sql)) throw tooDeep();
  const { parse } = await driver('libpg-query', () => import('libpg-query'));
  const statements = await parse(sql).then(
    ({ stmts }) => stmts ?? [],
    (error: unknown) => {
      throw error instanceof RangeError || messageOf(error).startsWith('memory exhausted')
        ? tooDeep()
        : new AppError('invalid_input', `This is not SQL that PostgreSQL understands: ${placed(error, sql)}`, {
            cause: error,
          });
    },
  );
  const [only] = statements;
  if (!only?.stmt) throw new AppError('invalid_input', 'The SQL has no statement. Write one.');
  if (statements.length > 1)
    throw new AppError(
      'invalid_input',
      `The SQL has ${statements.length} statements, and one is allowed. Nothing was run. Send them one by one.`,
    );
  const [kind, node] = Object.entries(only.stmt)[0] as [string, Node];
  return { kind, node, sql: within(sql, only.stmt_location, only.stmt_len) };
}

/** PostgreSQL counts bytes, and leaves out a length that reaches to the end. */
function within(sql: string, from = 0, length?: number): string {
  const bytes = Buffer.from(sql);
  return bytes
    .subarray(from, length ? from + length : undefined)
    .toString()
    .trim();
}

const tooDeep = () =>
  new AppError('invalid_input', 'The SQL is nested too deeply. Shorten its chains of operators and parentheses.');

function placed(error: unknown, sql: string): string {
  const { sqlDetails } = error as { sqlDetails?: { cursorPosition?: number } };
  const at = sqlDetails?.cursorPosition;
  if (at === undefined) return `${messageOf(error)}.`;
  const before = Buffer.from(sql).subarray(0, at).toString();
  const line = before.split('\n').length;
  return `${messageOf(error)} (line ${line}, column ${before.length - before.lastIndexOf('\n')}).`;
}
