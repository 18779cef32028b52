import { AppError } from '../../../kernel/errors.ts';
import type { Allowed } from '../../allowed.ts';
import type { Run } from '../connection.ts';
import { isServerError } from '../explain.ts';

/** What a look at the database needs to know first. */
export interface Scene {
  readonly run: Run;
  /** The schemas in reach that exist, without those of PostgreSQL. */
  readonly schemas: readonly string[];
  /** The schemas that exist and are out of reach. */
  readonly hidden: readonly string[];
  readonly server: ServerFacts;
}

export interface ServerFacts {
  /** Such as 150013. */
  readonly version: number;
  readonly user: string;
  readonly isSuperuser: boolean;
  /** Whether it sees what the sessions of other users do: a member of pg_monitor does. */
  readonly seesAll: boolean;
  readonly isStandby: boolean;
  readonly database: string;
  /** Since when the statistics of this database are collected, in seconds. */
  readonly statisticsAge: number;
}

/** Backends with this name are Sluice's. */
export const OWN_APPLICATION = 'sluice';

const FACTS = `SELECT current_setting('server_version_num')::int AS version, current_user AS user,
  (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS "isSuperuser",
  pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS "seesAll",
  pg_is_in_recovery() AS "isStandby", current_database() AS database,
  extract(epoch FROM now() - coalesce((SELECT stats_reset FROM pg_stat_database WHERE datname = current_database()),
    pg_postmaster_start_time()))::float8 AS "statisticsAge"`;

const SCHEMAS = `SELECT nspname AS name FROM pg_namespace
  WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' ORDER BY 1`;

/** `only` is one schema to look at. */
export async function sceneOf(run: Run, reach: Allowed, only?: string): Promise<Scene> {
  if (only !== undefined) reach.need(only);
  await impatient(run);
  const { rows: facts } = await run<ServerFacts>(FACTS);
  const { rows } = await run<{ name: string }>(SCHEMAS);
  const names = rows.map(({ name }) => name);
  const schemas = names.filter((name) => reach.has(name) && (only === undefined || name === only));
  if (only !== undefined && schemas.length === 0)
    throw new AppError('not_found', `There is no schema ${only}. postgres_list_schemas shows those in reach.`);
  return { run, schemas, hidden: names.filter((name) => !reach.has(name)), server: facts[0] as ServerFacts };
}

/** Whoever looks for a lock must not wait behind it. */
export async function impatient(run: Run): Promise<void> {
  await run("SET LOCAL lock_timeout TO '1s'");
}

/** The code of an error that the server answered with. */
export const sqlState = (error: unknown): string | undefined => (isServerError(error) ? error.code : undefined);

/** Does some work of a transaction that may fail. The transaction goes on after an error of the server. */
export async function guarded<T>(run: Run, work: () => Promise<T>): Promise<T> {
  await run('SAVEPOINT guarded');
  try {
    const result = await work();
    await run('RELEASE SAVEPOINT guarded');
    return result;
  } catch (error) {
    // The connection may be gone: then its own error is the one that matters.
    if (sqlState(error) !== undefined) {
      await run('ROLLBACK TO SAVEPOINT guarded');
      await run('RELEASE SAVEPOINT guarded');
    }
    throw error;
  }
}
