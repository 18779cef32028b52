import { AppError } from '../../kernel/errors.ts';
import type { Run } from '../postgres/connection.ts';
import { quoted } from './sql.ts';

/** pgvector in this database. */
export interface Extension {
  readonly version: string;
  readonly schema: string;
  /** Since 0.8 an index goes on searching until enough rows pass the filter. */
  readonly searchesOn: boolean;
  /** Whether it has vectors of half precision: since 0.7. */
  readonly hasHalf: boolean;
  /** One of its names as SQL: it may be in a schema that is not searched. */
  named(name: string): string;
}

export async function extensionOf(run: Run): Promise<Extension> {
  const { rows } = await run<{ schema: string; version: string }>(
    `SELECT n.nspname AS schema, e.extversion AS version
       FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`,
  );
  const [found] = rows;
  if (!found) throw await missing(run);
  const { schema, version } = found;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const since = (needed: number) => major > 0 || minor >= needed;
  return {
    version,
    schema,
    searchesOn: since(8),
    hasHalf: since(7),
    named: (name) => `${quoted(schema)}.${quoted(name)}`,
  };
}

async function missing(run: Run): Promise<AppError> {
  const { rows } = await run<{ installed: boolean; major: string; database: string }>(
    `SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') AS installed,
       split_part(current_setting('server_version'), '.', 1) AS major, current_database() AS database`,
  );
  const { installed = false, major = '17', database = '' } = rows[0] ?? {};
  const create = `run CREATE EXTENSION vector; in the database ${database} as its owner or a superuser`;
  return new AppError(
    'unsupported',
    installed
      ? `The database does not use pgvector yet. To change that, ${create}.`
      : `This PostgreSQL does not have pgvector. Install the package postgresql-${major}-pgvector (in Docker, use the image pgvector/pgvector:pg${major}), then ${create}.`,
  );
}
