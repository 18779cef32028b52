import type { Run } from '../connection.ts';

/** A backend that serves a client of this database. */
export interface Session {
  readonly pid: number;
  readonly user: string | null;
  readonly application: string | null;
  readonly client: string | null;
  /** Null if this user may not see it. */
  readonly state: string | null;
  readonly wait: string | null;
  readonly transactionSeconds: number | null;
  /** How long it has been in its state. */
  readonly stateSeconds: number | null;
  readonly querySeconds: number | null;
  readonly query: string | null;
  readonly blockedBy: readonly number[];
}

const SESSIONS = `SELECT pid, usename AS user, application_name AS application, host(client_addr) AS client, state,
    CASE WHEN wait_event_type IN ('Activity', 'Client') THEN NULL ELSE wait_event_type || ': ' || wait_event END AS wait,
    extract(epoch FROM now() - xact_start)::float8 AS "transactionSeconds",
    extract(epoch FROM clock_timestamp() - state_change)::float8 AS "stateSeconds",
    extract(epoch FROM clock_timestamp() - query_start)::float8 AS "querySeconds",
    left(query, 2000) AS query,
    CASE WHEN wait_event_type = 'Lock' OR state IS NULL THEN pg_blocking_pids(pid) ELSE '{}' END AS "blockedBy"
  FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
  ORDER BY xact_start NULLS LAST, query_start LIMIT 1000`;

/** All sessions of this database but the one that asks, the oldest transaction first. */
export async function sessionsOf(run: Run): Promise<Session[]> {
  const { rows } = await run<Session>(SESSIONS);
  return rows;
}

/** Of people and programs: `pid 4711 (app_user, psql)`. */
export const who = ({ pid, user, application }: Pick<Session, 'pid' | 'user' | 'application'>): string => {
  const about = [user, application].filter((one) => one !== null && one !== '').map((one) => String(one).slice(0, 63));
  return about.length > 0 ? `pid ${pid} (${about.join(', ')})` : `pid ${pid}`;
};
