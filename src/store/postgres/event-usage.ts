import { type AlikeCalls, createCallGroups } from '../call-usage.ts';
import type { CallGroup } from '../store.ts';
import type { Database } from './connection.ts';

type Row = AlikeCalls & { latency: number; reason: string | null };

/** The latency class of a call without a time. */
const UNTIMED = -1;

/** Counts in the database: of a million calls only the groups come here. */
export async function usageIn(database: Database, since: number, until: number): Promise<CallGroup[]> {
  const rows = await database.rows<Row>(
    `SELECT tool, source, principal, reason, latency, count(*) AS calls FROM (
       SELECT id, tool, source, principal, latency,
         CASE event_type WHEN 'tool.call_failed' THEN coalesce(text_in(data::json->'reason'), 'unknown') END AS reason
       FROM events WHERE latency IS NOT NULL AND at >= $1 AND at < $2
     ) AS call GROUP BY tool, source, principal, reason, latency ORDER BY min(id)`,
    [since, until],
  );
  const groups = createCallGroups();
  for (const { latency, reason, ...calls } of rows)
    groups.add({ ...calls, latency: latency === UNTIMED ? undefined : latency, reason: reason ?? undefined });
  return groups.all();
}
