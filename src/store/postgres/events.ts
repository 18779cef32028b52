import { followingOf, pageOf, type Selection, selectionOf, timeOf } from '../event-query.ts';
import { eventOf, type EventRow } from '../event-row.ts';
import type { Events, StoredEvent } from '../store.ts';
import { appending } from './appending.ts';
import type { Database } from './connection.ts';
import { selectSql } from './event-select.ts';
import { usageIn } from './event-usage.ts';

/** How many to delete at once: nobody waits long for the locks of a chunk. */
const PRUNE_CHUNK = 1000;

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
  const remove = (which: string, chunk: number, keepFrom: number, ...more: number[]) =>
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
    async prune(before, { max, keepFrom = Number.MAX_SAFE_INTEGER } = {}) {
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
      if (max === undefined) return pruned;
      let excess = (await count()) - max;
      while (excess > 0) {
        const chunk = Math.min(PRUNE_CHUNK, excess);
        const deleted = await remove('SELECT id FROM events WHERE id < $2 ORDER BY id LIMIT $1', chunk, keepFrom);
        if (deleted === 0) break;
        excess -= deleted;
        pruned += deleted;
      }
      return pruned;
    },
    count,
    async span() {
      const [row] = await database.rows<{ id: number; at: number; last: number }>(
        'SELECT id, at, (SELECT max(id) FROM events) AS last FROM events ORDER BY id LIMIT 1',
      );
      return row && { first: row.id, last: row.last, since: new Date(row.at) };
    },
  };
}
