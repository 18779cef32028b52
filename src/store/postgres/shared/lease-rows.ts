import { LEASE_MS, type LeaseRows } from './leases.ts';
import { CHANNEL, type Line } from './line.ts';

/** The notice that a lease was given up. */
export const RELEASED = 'leases';

/**
 * Leases in the database, on its clock. `now()` is the time at which the statement came in, so a lease is never shorter
 * than its holder believes, who counts from when he sent it.
 */
export function leaseRows({ rows }: Line, replica: string): LeaseRows {
  return {
    async hold(tasks) {
      const held = await rows<{ task: string }>(
        // Those of others are left out first: a conflict locks the row even if nothing changes.
        `INSERT INTO leases (task, replica, until)
           SELECT wanted, $1, now() + interval '${LEASE_MS} milliseconds' FROM unnest($2::text[]) AS wanted
           WHERE NOT EXISTS (SELECT 1 FROM leases WHERE task = wanted AND replica <> $1 AND until >= now())
           ORDER BY wanted
         ON CONFLICT (task) DO UPDATE SET replica = excluded.replica, until = excluded.until
           WHERE leases.replica = excluded.replica OR leases.until < now()
         RETURNING task`,
        [replica, tasks],
      );
      return new Set(held.map(({ task }) => task));
    },
    release: (task) =>
      rows(
        `WITH gone AS (DELETE FROM leases WHERE task = $1 AND replica = $2 RETURNING task)
         SELECT pg_notify('${CHANNEL}', '${RELEASED}') FROM gone`,
        [task, replica],
      ),
  };
}
