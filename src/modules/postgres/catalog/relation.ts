import { AppError } from '../../../kernel/errors.ts';
import { nearestNames } from '../../../kernel/nearest-names.ts';
import type { Postgres, Run } from '../connection.ts';

export interface Relation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
}

/** What relkind means, for a CASE in SQL. */
export const KIND = `CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' WHEN 'v' THEN 'view'
  WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' ELSE 'other' END`;

/** `users`, `shop.users` or `"Users"`: the table or view that is meant. Exact names win, then the search path. */
export async function relationNamed(run: Run, postgres: Postgres, given: string): Promise<Relation> {
  const plain = given.trim().replace(/"/g, '');
  const { rows } = await run<Relation & { rank: number }>(
    `SELECT c.oid, n.nspname AS schema, c.relname AS name, ${KIND} AS kind,
       CASE WHEN n.nspname || '.' || c.relname = $1 THEN 0
         WHEN c.relname = $1 AND pg_table_is_visible(c.oid) THEN 1
         WHEN c.relname = $1 THEN 2 ELSE 3 END AS rank
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
       AND (lower(n.nspname || '.' || c.relname) = lower($1) OR lower(c.relname) = lower($1))
     ORDER BY rank, n.nspname LIMIT 50`,
    [plain],
  );
  const inReach = rows.filter(({ schema }) => postgres.schemas.has(schema));
  const [best] = inReach;
  if (!best) {
    if (rows[0]) postgres.schemas.need(rows[0].schema);
    throw await missing(run, postgres, given);
  }
  const equal = inReach.filter(({ rank }) => rank === best.rank);
  if (equal.length > 1)
    throw new AppError(
      'conflict',
      `There are several tables of this name: ${equal.map(({ schema, name }) => `${schema}.${name}`).join(', ')}. Say which.`,
    );
  return best;
}

async function missing(run: Run, postgres: Postgres, given: string): Promise<AppError> {
  const { rows } = await run<{ schema: string; name: string }>(
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_catalog.pg_class c
     JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
     LIMIT 5000`,
  );
  const names = rows
    .filter(({ schema }) => postgres.schemas.has(schema))
    .map(({ schema, name }) => (given.includes('.') || schema !== 'public' ? `${schema}.${name}` : name));
  const near = nearestNames(given, names);
  const meant = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  return new AppError(
    'not_found',
    `There is no table or view ${given.slice(0, 100)}.${meant} postgres_list_tables shows them all.`,
  );
}
