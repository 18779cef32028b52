import { AppError } from '../../../kernel/errors.ts';
import type { Allowed } from '../../allowed.ts';
import type { Run } from '../connection.ts';
import { sqlState, guarded } from './scene.ts';

export interface FoundTable {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** r, p, m, v, f. */
  readonly kind: string;
}

const BY_NAME = `SELECT c.oid::int8::float8 AS oid, n.nspname AS schema, c.relname AS name, c.relkind AS kind
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass($1)`;

const ANYWHERE = `SELECT c.oid::int8::float8 AS oid, n.nspname AS schema, c.relname AS name, c.relkind AS kind
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE (c.relname = $1 OR n.nspname || '.' || c.relname = $1) AND c.relkind IN ('r', 'p', 'm', 'v', 'f') ORDER BY n.nspname LIMIT 100`;

/** A table in reach: `orders`, `shop.orders`, `"Shop"."Orders"`. Without a schema, the search path decides. */
export async function findTable(run: Run, reach: Allowed, name: string): Promise<FoundTable> {
  const missing = new AppError(
    'not_found',
    `There is no table ${name.slice(0, 200)}. postgres_list_tables shows what is there.`,
  );
  let found: FoundTable | undefined;
  try {
    found = (await guarded(run, () => run<FoundTable>(BY_NAME, [name]))).rows[0];
  } catch (error) {
    // 42602: not a name at all.
    if (sqlState(error) === undefined) throw error;
    throw missing;
  }
  if (!found) {
    // Also a table that is not on the search path, if there is only one.
    const elsewhere = (await run<FoundTable>(ANYWHERE, [name])).rows.filter(({ schema }) => reach.has(schema));
    if (elsewhere.length > 1)
      throw new AppError(
        'invalid_input',
        `There are several tables ${name.slice(0, 200)}: ${elsewhere.map(({ schema }) => `${schema}.${name}`).join(', ')}. Name the schema.`,
      );
    found = elsewhere[0];
  }
  if (!found) throw missing;
  reach.need(found.schema);
  if (!['r', 'p', 'm', 'v', 'f'].includes(found.kind))
    throw new AppError('invalid_input', `${found.schema}.${found.name} is no table.`);
  return found;
}
