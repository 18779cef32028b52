import { AppError } from '../../../kernel/errors.ts';
import type { Allowed } from '../../allowed.ts';
import type { Run } from '../connection.ts';
import { needReach } from '../reach.ts';
import { parseSql } from '../sql/parse.ts';
import { needNoDenied } from '../sql/read-only.ts';
import { touchedBy } from '../sql/touched.ts';
import { extensionOf, isAvailable } from './extensions.ts';
import { guarded } from './scene.ts';

/** An index that exists for the planner of this session alone. */
export interface Hypothetical {
  readonly sql: string;
  /** The name under which plans show it. */
  readonly name: string;
  readonly table: string;
  readonly bytes: number;
}

const METHODS = new Set(['btree', 'brin', 'hash', 'bloom']);
const MOST_INDEXES = 20;

/**
 * Does some work of a transaction with indexes that are only imagined: the planner takes them for real in EXPLAIN
 * without ANALYZE. `CREATE INDEX ON orders (customer)`. They are gone afterwards, also if the work fails. Without
 * `reach` the caller has checked that the tables are in reach.
 */
export async function withHypothetical<T>(
  run: Run,
  indexes: readonly string[],
  work: (made: readonly Hypothetical[]) => Promise<T>,
  reach?: Allowed,
): Promise<T> {
  if (indexes.length > MOST_INDEXES)
    throw new AppError(
      'invalid_input',
      `${indexes.length} indexes are too many to try at once. Try at most ${MOST_INDEXES}.`,
    );
  const schema = await hypopgIn(run);
  if (schema === undefined) throw await hypopgMissing(run);
  const texts: string[] = [];
  for (const index of indexes) texts.push(await definition(run, index, reach));
  return await imagined(run, schema, texts, work);
}

/** The schema of hypopg, if this database has it. */
export const hypopgIn = async (run: Run): Promise<string | undefined> => (await extensionOf(run, 'hypopg'))?.schema;

export async function hypopgMissing(run: Run): Promise<AppError> {
  const install = (await isAvailable(run, 'hypopg'))
    ? ''
    : 'Install the package of hypopg for your PostgreSQL on the server (Debian: postgresql-<version>-hypopg), then ';
  return new AppError(
    'unsupported',
    `Indexes cannot be tried without building them: the extension hypopg is missing. ${install}${install === '' ? 'Run' : 'run'} CREATE EXTENSION hypopg; in this database.`,
  );
}

/** The same for definitions that are known to be right. `schema` is that of hypopg. */
export async function imagined<T>(
  run: Run,
  schema: string,
  indexes: readonly string[],
  work: (made: readonly Hypothetical[]) => Promise<T>,
): Promise<T> {
  try {
    return await guarded(run, async () => {
      const made: Hypothetical[] = [];
      for (const sql of indexes) made.push(await make(run, schema, sql));
      return await work(made);
    });
  } finally {
    // They belong to the session, not to the transaction. If the connection is lost, they are gone with it.
    await run(`SELECT ${schema}.hypopg_reset()`).catch(() => {});
  }
}

async function make(run: Run, schema: string, sql: string): Promise<Hypothetical> {
  const { rows } = await run<Omit<Hypothetical, 'sql'>>(
    `SELECT made.indexname AS name, n.nspname || '.' || c.relname AS table,
       ${schema}.hypopg_relation_size(made.indexrelid)::float8 AS bytes
     FROM ${schema}.hypopg_create_index($1) made
     JOIN ${schema}.hypopg_list_indexes l ON l.indexrelid = made.indexrelid
     JOIN pg_namespace n ON n.nspname = l.schema_name
     JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = l.table_name`,
    [sql],
  );
  const [made] = rows;
  if (!made) throw new AppError('invalid_input', `hypopg does not accept this index: ${sql.slice(0, 200)}`);
  return { sql, ...made };
}

/** Checks that it is one CREATE INDEX on a table in reach, of a kind that can be imagined. */
async function definition(run: Run, sql: string, reach: Allowed | undefined): Promise<string> {
  const statement = await parseSql(sql);
  if (statement.kind !== 'IndexStmt')
    throw new AppError(
      'invalid_input',
      `This is no index: ${sql.slice(0, 200)}. Write CREATE INDEX ON orders (customer).`,
    );
  const { accessMethod } = statement.node as { accessMethod?: string };
  if (accessMethod !== undefined && !METHODS.has(accessMethod))
    throw new AppError(
      'unsupported',
      `An index of the kind ${accessMethod} cannot be imagined: hypopg knows ${[...METHODS].join(', ')}.`,
    );
  const touched = touchedBy(statement.node);
  needNoDenied(touched);
  if (reach) await needReach(run, reach, touched);
  // A name that is taken already, or CONCURRENTLY, does not matter to hypopg.
  return statement.sql;
}
