import type { Value } from '../connection.ts';
import type { Line } from './line.ts';

/** What one look at the database shows. */
export interface Seen {
  /** When it was looked, on our monotonic clock. */
  readonly at: number;
  /** How far our clock is from the clock of the database, in milliseconds; positive if ours is ahead. */
  readonly skewMs: number;
  readonly topics: ReadonlyMap<string, number>;
  /** The versions of the schema, by part. */
  readonly parts: ReadonlyMap<string, number>;
}

export interface ReplicaRow {
  readonly id: string;
  readonly url: string | null;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly started_ms: number;
  /** How long ago it renewed its row, and when that was on the clock of the database. */
  readonly seen_ms: number;
  readonly beat_ms: number;
  readonly skew_ms: number;
  readonly draining: boolean;
  readonly report: string;
}

/** What a replica says of itself with each heartbeat. */
export interface OwnRow {
  readonly id: string;
  readonly url: string | undefined;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** On the clock of the database, since 1970. */
  readonly startedMs: number;
  readonly skewMs: number;
  readonly draining: boolean;
  readonly report: string;
}

interface Row {
  now: number;
  topics: Record<string, number> | null;
  parts: Record<string, number> | null;
}

const VERSIONS = `extract(epoch FROM clock_timestamp())::float8 * 1000 AS now,
  (SELECT json_object_agg(topic, version) FROM topics) AS topics,
  (SELECT json_object_agg(part, version) FROM part_versions) AS parts`;

/** Dead replicas are left out. Times are ages, because clocks differ. */
export const REPLICA_COLUMNS = `id, url, host, pid, version, extract(epoch FROM started_at)::float8 * 1000 AS started_ms,
  extract(epoch FROM now() - seen_at)::float8 * 1000 AS seen_ms,
  extract(epoch FROM seen_at)::float8 * 1000 AS beat_ms, skew_ms, draining, report`;

const OTHERS = `(SELECT json_agg(other) FROM (SELECT ${REPLICA_COLUMNS} FROM replicas WHERE id <> $1) AS other) AS replicas,
  (SELECT json_object_agg(task, replica) FROM leases WHERE until >= now()) AS leases`;

/** The own row is made again if it is missing: a replica that was cut off for long finds it deleted. */
const BEAT = `WITH beat AS (
    INSERT INTO replicas (id, url, host, pid, version, started_at, skew_ms, draining, report)
      VALUES ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), $7, $8, $9)
    ON CONFLICT (id) DO UPDATE
      SET seen_at = now(), url = excluded.url, skew_ms = excluded.skew_ms, draining = excluded.draining, report = excluded.report
  )`;

async function ask<More>(line: Line, sql: string, values: readonly Value[]): Promise<Seen & More> {
  const before = Date.now();
  const at = performance.now();
  const [row] = await line.rows<Row & More>(sql, values);
  if (!row) throw new Error('The database returned nothing.');
  const took = performance.now() - at;
  return {
    ...row,
    at,
    skewMs: before + took / 2 - row.now,
    topics: new Map(Object.entries(row.topics ?? {})),
    parts: new Map(Object.entries(row.parts ?? {})),
  };
}

export type SeenReplicas = Seen & {
  readonly replicas: readonly ReplicaRow[] | null;
  readonly leases: Record<string, string> | null;
};

export const lookAtVersions = (line: Line): Promise<Seen> => ask(line, `SELECT ${VERSIONS}`, []);

export const lookAtReplicas = (line: Line, self: string): Promise<SeenReplicas> =>
  ask(line, `SELECT ${VERSIONS}, ${OTHERS}`, [self]);

export const beat = (line: Line, own: OwnRow): Promise<SeenReplicas> =>
  ask(line, `${BEAT} SELECT ${VERSIONS}, ${OTHERS}`, [
    own.id,
    own.url ?? null,
    own.host,
    own.pid,
    own.version,
    own.startedMs,
    own.skewMs,
    own.draining,
    own.report,
  ]);
