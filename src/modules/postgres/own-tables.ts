import { AppError } from '../../kernel/errors.ts';
import type { Run } from './connection.ts';

/** How often this transaction has used the tables of a schema, and what they are. */
const USED = `
SELECT coalesce(sum(pg_stat_get_xact_numscans(oid) + pg_stat_get_xact_tuples_inserted(oid)
    + pg_stat_get_xact_tuples_updated(oid) + pg_stat_get_xact_tuples_deleted(oid)), 0)::text AS uses,
  md5(string_agg(concat_ws(' ', oid, relname, relfilenode, relnatts, relacl, relchecks, relhastriggers), ',' ORDER BY oid))
    AS shape
FROM pg_catalog.pg_class
WHERE relnamespace = to_regnamespace(format('%I', $1::text))`;

interface Used {
  readonly uses: string;
  readonly shape: string | null;
}

/**
 * Does the work, and fails if it has used a table of Sluice's own, however it got there: functions, triggers and rules
 * hide what they touch. The caller's transaction is rolled back then.
 */
export async function sparingOwn<T>(run: Run, schema: string, work: () => Promise<T>): Promise<T> {
  const look = async () => (await run<Used>(USED, [schema])).rows[0] as Used;
  const before = await look();
  const result = await work();
  // Without tables there was nothing to spare, unless they were just made.
  const after = await look();
  if (before.uses === after.uses && before.shape === after.shape) return result;
  throw new AppError(
    'forbidden',
    `This reaches into the schema ${schema}, which belongs to Sluice itself. It was rolled back; nothing was changed.`,
  );
}
