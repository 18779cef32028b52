import { AppError } from '../../../kernel/errors.ts';
import type { Run } from '../connection.ts';
import { literal, quoted } from './quoted.ts';

export interface Extension {
  /** Where its functions and views are, quoted. */
  readonly schema: string;
  readonly version: string;
}

/** An extension that is installed in this database. */
export async function extensionOf(run: Run, name: string): Promise<Extension | undefined> {
  const { rows } = await run<{ schema: string; version: string }>(
    `SELECT n.nspname AS schema, e.extversion AS version FROM pg_extension e
     JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = $1`,
    [name],
  );
  const [found] = rows;
  return found && { schema: quoted(found.schema), version: found.version };
}

/** Whether the files of an extension are on the server, so that CREATE EXTENSION would find it. */
export async function isAvailable(run: Run, name: string): Promise<boolean> {
  const { rows } = await run('SELECT 1 FROM pg_available_extensions WHERE name = $1', [name]);
  return rows.length > 0;
}

/** The libraries that the server loads when it starts. Null if this user may not see the setting. */
export async function preloaded(run: Run): Promise<string | null> {
  const { rows } = await run<{ value: string | null }>(
    `SELECT (SELECT setting FROM pg_settings WHERE name = 'shared_preload_libraries') AS value`,
  );
  return rows[0]?.value ?? null;
}

/** How to switch pg_stat_statements on, from where this server stands. */
export function statementsMissing(libraries: string | null, isCreated: boolean, available: boolean): AppError {
  const names =
    libraries
      ?.split(',')
      .map((name) => name.trim().replaceAll('"', ''))
      .filter((name) => name !== '') ?? [];
  const isLoaded = names.some((name) => name.endsWith('pg_stat_statements'));
  const steps = [
    ...(available ? [] : ["install the package with PostgreSQL's contrib extensions on the server"]),
    ...(isLoaded
      ? []
      : [
          `run ALTER SYSTEM SET shared_preload_libraries = ${[...names, 'pg_stat_statements'].map(literal).join(', ')}; as a superuser${libraries === null ? ' (keep the libraries that are in it: SHOW shared_preload_libraries;)' : ''}`,
          'restart PostgreSQL',
        ]),
    ...(isCreated ? [] : ['run CREATE EXTENSION pg_stat_statements; in this database']),
  ];
  const sentences = steps.map((step, at) => `${at + 1}. ${step}.`).join(' ');
  return new AppError(
    'unsupported',
    `The server does not count statements: pg_stat_statements is not switched on. ${sentences} Until then postgres_list_activity shows what runs now.`,
  );
}
