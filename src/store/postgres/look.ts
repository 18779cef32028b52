import type { StorePlace } from '../settings.ts';
import { columnsOf } from './bulk.ts';
import { type Database } from './connection.ts';
import { SCHEMA } from '../own-names.ts';
import { type CopyMark, readMarks } from './marks.ts';
import { type KeyOrigin, lookAtKey } from './seal.ts';

/** What `sluice store status` says about a database. */
export interface PostgresLook {
  readonly version: string;
  readonly encrypted: boolean;
  /** Of the connections to this database, how many are Sluice's; how many there are in all, and at most. */
  readonly connections: { readonly own: number; readonly server: number; readonly limit: number };
  /** Undefined if no Sluice has used the database yet. */
  readonly store?: {
    readonly sizeBytes: number;
    readonly schema: Readonly<Record<string, number>>;
    readonly rows: Readonly<Record<string, number>>;
    readonly key: { readonly from: KeyOrigin; readonly state: ReturnType<typeof lookAtKey>['state'] };
    readonly copy?: CopyMark;
    readonly replicas: readonly ReplicaLook[];
    readonly leases: readonly { readonly task: string; readonly replica: string; readonly leftMs: number }[];
  };
}

export interface ReplicaLook {
  readonly id: string;
  readonly url: string | null;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly seenMs: number;
  readonly skewMs: number;
  readonly draining: boolean;
}

const SERVER = `SELECT current_setting('server_version') AS version,
  current_setting('max_connections')::int AS "limit",
  coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted,
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS server,
  (SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name ILIKE 'sluice%' AND pid <> pg_backend_pid()) AS own,
  to_regclass('${SCHEMA}.marks') IS NOT NULL AS used`;

/** Looks at a database and writes nothing: not even the schema. */
export async function lookAtPostgres(
  database: Database,
  home: Pick<StorePlace, 'home' | 'env'>,
): Promise<PostgresLook> {
  const [server] = await database.rows<{
    version: string;
    limit: number;
    encrypted: boolean;
    server: number;
    own: number;
    used: boolean;
  }>(SERVER);
  const { version = '', encrypted = false, limit = 0, own = 0, used = false } = server ?? {};
  const seen = { version, encrypted, connections: { own, server: server?.server ?? 0, limit } };
  return used ? { ...seen, store: await lookAtStore(database, home) } : seen;
}

async function lookAtStore(
  database: Database,
  home: Pick<StorePlace, 'home' | 'env'>,
): Promise<NonNullable<PostgresLook['store']>> {
  const [size] = await database.rows<{ bytes: number }>(
    `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = '${SCHEMA}' AND c.relkind = 'r'`,
  );
  const versions = await database.rows<{ part: string; version: number }>(
    'SELECT part, version FROM part_versions ORDER BY part',
  );
  const rows: [string, number][] = [];
  for (const table of (await columnsOf(database)).keys()) {
    const [found] = await database.once<{ count: number }>(`SELECT count(*) AS count FROM "${table}"`);
    rows.push([table, found?.count ?? 0]);
  }
  const marks = await readMarks(database);
  return {
    sizeBytes: size?.bytes ?? 0,
    schema: Object.fromEntries(versions.map(({ part, version }) => [part, version])),
    rows: Object.fromEntries(rows),
    key: lookAtKey(home, marks),
    ...(marks.copy && { copy: marks.copy }),
    replicas: await database.rows<ReplicaLook>(
      `SELECT id, url, host, pid, version, draining, round(skew_ms)::int AS "skewMs",
         round(extract(epoch FROM now() - seen_at) * 1000)::bigint AS "seenMs"
       FROM replicas ORDER BY started_at`,
    ),
    leases: await database.rows(
      `SELECT task, replica, round(extract(epoch FROM until - now()) * 1000)::bigint AS "leftMs" FROM leases ORDER BY task`,
    ),
  };
}
