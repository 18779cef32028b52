import type { Run } from '../connection.ts';
import { extensionOf, isAvailable, preloaded, statementsMissing } from './extensions.ts';
import { guarded, sqlState } from './scene.ts';

export const orders = ['total', 'mean', 'calls', 'io'] as const;
export type Order = (typeof orders)[number];

export interface TopQuery {
  readonly id: string;
  readonly query: string;
  readonly user: string | null;
  readonly calls: number;
  readonly totalMs: number;
  readonly meanMs: number;
  readonly maxMs: number;
  readonly rows: number;
  readonly hits: number;
  readonly reads: number;
  readonly written: number;
  /** Of the time of all statements of this database. */
  readonly share: number;
}

/** Older versions count planning and execution together. */
const columns = (isOld: boolean) => ({
  total: isOld ? 'total_time' : 'total_exec_time',
  mean: isOld ? 'mean_time' : 'mean_exec_time',
  max: isOld ? 'max_time' : 'max_exec_time',
});

const BLOCKS_READ = 's.shared_blks_read + s.local_blks_read + s.temp_blks_read';
const BLOCKS_WRITTEN = 's.shared_blks_written + s.local_blks_written + s.temp_blks_written';

function sqlFor(schema: string, version: string, by: Order): string {
  const [major = 1, minor = 0] = version.split('.').map(Number);
  const { total, mean, max } = columns(major === 1 && minor < 8);
  const order = { total: `s.${total}`, mean: `s.${mean}`, calls: 's.calls', io: `${BLOCKS_READ} + ${BLOCKS_WRITTEN}` }[
    by
  ];
  return `SELECT s.queryid::text AS id, left(s.query, 5000) AS query, r.rolname AS user, s.calls::float8 AS calls,
      s.${total} AS "totalMs", s.${mean} AS "meanMs", s.${max} AS "maxMs", s.rows::float8 AS rows,
      s.shared_blks_hit::float8 AS hits, (${BLOCKS_READ})::float8 AS reads, (${BLOCKS_WRITTEN})::float8 AS written,
      coalesce(100 * s.${total} / nullif(sum(s.${total}) OVER (), 0), 0) AS share
    FROM ${schema}.pg_stat_statements s LEFT JOIN pg_roles r ON r.oid = s.userid
    WHERE s.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
    ORDER BY ${order} DESC, s.queryid LIMIT $1`;
}

/** The statements that cost most. Throws how to switch pg_stat_statements on. */
export async function topQueries(run: Run, by: Order, limit: number): Promise<TopQuery[]> {
  const extension = await extensionOf(run, 'pg_stat_statements');
  if (!extension) throw statementsMissing(await preloaded(run), false, await isAvailable(run, 'pg_stat_statements'));
  try {
    const { rows } = await guarded(run, () => run<TopQuery>(sqlFor(extension.schema, extension.version, by), [limit]));
    return rows;
  } catch (error) {
    // 55000: the extension is there, and its library was not loaded at the start.
    if (sqlState(error) !== '55000') throw error;
    throw statementsMissing(await preloaded(run), true, true);
  }
}
