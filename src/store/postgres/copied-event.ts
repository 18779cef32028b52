import { latencyClass } from '../call-usage.ts';
import type { SqliteRow } from '../sqlite/snapshot.ts';
import { storableJson } from './event-batch.ts';

/** What the table has besides the event itself. */
export const eventColumns = ['tool', 'source', 'principal', 'latency'];

const CALLS = new Set(['tool.call_completed', 'tool.call_failed']);
const LONGEST = 200;

/** An event of the embedded store as a row of PostgreSQL, with the same copies out of its data as `append_events` makes. */
export function copiedEvent(row: SqliteRow): SqliteRow {
  const data = String(row.data);
  const stored = storableJson(data);
  const { tool, source, backend, server, principal, ms } = JSON.parse(stored) as Record<string, unknown>;
  const isCall =
    CALLS.has(String(row.event_type)) && [tool, source, principal].every((value) => typeof value === 'string');
  return {
    ...row,
    data: stored,
    tool: copyOf(tool),
    source: copyOf(source ?? backend ?? server),
    principal: copyOf(principal),
    latency: isCall ? (typeof ms === 'number' ? latencyClass(ms) : -1) : null,
  };
}

function copyOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return value.length <= LONGEST ? value : Array.from(value).slice(0, LONGEST).join('');
}
