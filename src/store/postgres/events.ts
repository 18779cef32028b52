import { followingOf, pageOf, type Selection, selectionOf, timeOf } from '../event-query.ts';
import { eventOf, type EventRow, ROW_BYTES } from '../event-row.ts';
import type { Events, StoredEvent } from '../store.ts';
import { appending } from './appending.ts';
import type { Database, Value } from './connection.ts';
import { selectSql } from './event-select.ts';
import { usageIn } from './event-usage.ts';

/** How many to delete at once: nobody waits long for the locks of a chunk. */
const PRUNE_CHUNK = 1000;
const MOST = Number.MAX_SAFE_INTEGER;

const ofKind = (types: string, isAudit: string): string =>
  `(event_type IN (SELECT json_array_elements_text(${types}::json))) = ${isAudit}::boolean`;

export function postgresEvents(database: Database, audit: readonly string[]): Events {
  async function select(selection: Selection, last?: number): Promise<StoredEvent[]> {
    const { sql, values } = selectSql(selection, last);
    return (await database.once<EventRow>(sql, values)).map(eventOf);
  }

  async function count(): Promise<number> {
    const [row] = await database.rows<{ total: number }>('SELECT count(*) AS total FROM events');
    return row?.total ?? 0;
  }

  /** `which` selects ids, at most $1 of them and below $2. */
  const remove = (which: string, chunk: number, keepFrom: number, ...more: Value[]) =>
    database.change(`DELETE FROM events WHERE id = ANY(ARRAY(${which}))`, [chunk, keepFrom, ...more]);

  return {
    append: appending(database),
    async query(query = {}) {
      const selection = selectionOf(query, audit);
      return pageOf(selection, await select({ ...selection, limit: selection.limit + 1 }));
    },
    async follow(filter, after, limit) {
      const selection = followingOf(filter, audit, after, limit);
      // Read this first: events appended from here on are for the next call.
      const [row] = await database.rows<{ last: number | null }>('SELECT max(id) AS last FROM events');
      const last = row?.last ?? 0;
      const events = last > after ? await select(selection, last) : [];
      return { events, position: (events.length === selection.limit && events.at(-1)?.id) || Math.max(after, last) };
    },
    usage: async ({ since, until } = {}) =>
      usageIn(
        database,
        since ? timeOf('since', since) : Number.MIN_SAFE_INTEGER,
        until ? timeOf('until', until) : Number.MAX_SAFE_INTEGER,
      ),
    async prune(before, { max = MOST, maxBytes = MOST, keepFrom = MOST } = {}) {
      const time = timeOf('before', before);
      await database.change("DELETE FROM appended WHERE at < now() - interval '1 day'");
      let pruned = 0;
      for (let deleted = PRUNE_CHUNK; deleted > 0; pruned += deleted)
        deleted = await remove(
          'SELECT id FROM events WHERE at < $3 AND id < $2 ORDER BY at LIMIT $1',
          PRUNE_CHUNK,
          keepFrom,
          time,
        );
      const types = JSON.stringify(audit);
      for (const isAudit of [false, true]) {
        const [beyond] = await database.rows<{ id: number }>(
          `SELECT id FROM (SELECT id, row_number() OVER newest AS n, sum(octet_length(data) + ${ROW_BYTES}) OVER newest AS bytes
             FROM events WHERE ${ofKind('$3', '$4')} WINDOW newest AS (ORDER BY id DESC ROWS UNBOUNDED PRECEDING)) AS counted
           WHERE n > $1 OR bytes > $2 ORDER BY id DESC LIMIT 1`,
          [max, maxBytes, types, isAudit],
        );
        for (let deleted = beyond ? 1 : 0; deleted > 0; pruned += deleted)
          deleted = await remove(
            `SELECT id FROM events WHERE id < $2 AND id <= $3 AND ${ofKind('$4', '$5')} ORDER BY id LIMIT $1`,
            PRUNE_CHUNK,
            keepFrom,
            beyond?.id ?? 0,
            types,
            isAudit,
          );
      }
      return pruned;
    },
    count,
    async span() {
      const [row] = await database.rows<{ id: number; at: number; last: number; bytes: number }>(
        "SELECT id, at, (SELECT max(id) FROM events) AS last, pg_table_size('events') AS bytes FROM events ORDER BY id LIMIT 1",
      );
      return row && { first: row.id, last: row.last, since: new Date(row.at), bytes: row.bytes };
    },
  };
}
