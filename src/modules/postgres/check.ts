import type { Postgres } from './connection.ts';

interface About {
  readonly version: string;
  readonly name: string;
  readonly size: string;
  readonly superuser: boolean;
}

/** The version and size, and a warning if the user may do everything. */
export async function checkPostgres(postgres: Postgres, signal: AbortSignal): Promise<string> {
  const { version, name, size, superuser } = await postgres.read(async (run) => {
    const { rows } = await run<About>(
      `SELECT current_setting('server_version') AS version, current_database() AS name,
         pg_size_pretty(pg_database_size(current_database())) AS size,
         current_setting('is_superuser') = 'on' AS superuser`,
    );
    return rows[0] as About;
  }, signal);
  const about = `PostgreSQL ${version.split(' ')[0]}, database ${name}, ${size}`;
  return superuser ? `${about}; its user is a superuser: give Sluice a role with fewer rights` : about;
}
