import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { AppError, messageOf } from '../kernel/errors.ts';
import type { EventStatus, RecordedEvent } from '../kernel/events.ts';
import type { Selection } from './event-query.ts';
import { inTransaction } from './sqlite-connection.ts';
import type { StoredEvent } from './store.ts';

type Row = [at: number, trace: string, type: string, status: string, data: string];

/** Writes events on one connection. */
export function eventWriter(db: DatabaseSync): (events: readonly RecordedEvent[]) => void {
  const insert = db.prepare('INSERT INTO events (at, trace_id, event_type, status, data) VALUES (?, ?, ?, ?, ?)');
  return (events) => {
    if (events.length === 0) return;
    const rows = events.map(rowOf);
    inTransaction(db, () => {
      for (const row of rows) insert.run(...row);
    });
  };
}

function rowOf(event: RecordedEvent): Row {
  const at = Date.parse(event.timestamp);
  if (Number.isNaN(at)) {
    throw new AppError('invalid_input', `The event's timestamp ${JSON.stringify(event.timestamp)} is not an ISO time.`);
  }
  return [at, event.trace_id, event.event_type, event.status, dataOf(event)];
}

function dataOf(event: RecordedEvent): string {
  try {
    return JSON.stringify(event.data);
  } catch (error) {
    throw new AppError('invalid_input', `The data of a ${event.event_type} event is not JSON: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** What may take long, in one thread or another. */
export interface EventScans {
  select(selection: Selection): StoredEvent[] | Promise<StoredEvent[]>;
  prune(before: number): Promise<number>;
  count(): number | Promise<number>;
}

const PRUNE_CHUNK = 1000;

export function eventScans(db: DatabaseSync): EventScans {
  const counting = db.prepare('SELECT count(*) AS total FROM events');
  const outdated = db.prepare('SELECT id FROM events WHERE id > ? AND at < ? ORDER BY id LIMIT ?');
  const remove = db.prepare('DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))');
  const selects = new Map<string, StatementSync>();

  return {
    select(selection) {
      const { sql, values } = selectSql(selection);
      let statement = selects.get(sql);
      if (!statement) selects.set(sql, (statement = db.prepare(sql)));
      return statement.all(values).map((row) => eventOf(row as unknown as EventRow));
    },

    // Finds under a read lock and deletes in short writes with pauses: a caller's append never waits for long.
    async prune(before) {
      let pruned = 0;
      let last = 0;
      while (true) {
        const ids = outdated.all(last, before, PRUNE_CHUNK).map((row) => Number(row.id));
        if (ids.length === 0) return pruned;
        pruned += Number(remove.run(JSON.stringify(ids)).changes);
        last = ids.at(-1) as number;
        await setTimeout(5);
      }
    },

    count: () => Number(counting.get()?.total),
  };
}

interface EventRow {
  id: number;
  at: number;
  trace_id: string;
  event_type: string;
  status: EventStatus;
  data: string;
}

function eventOf(row: EventRow): StoredEvent {
  return {
    id: row.id,
    timestamp: new Date(row.at).toISOString(),
    trace_id: row.trace_id,
    event_type: row.event_type,
    status: row.status,
    data: JSON.parse(row.data) as Record<string, unknown>,
  };
}

/** The rows of a page and one more. Only the filters in use are written out, so that a plan can fit them. */
function selectSql(selection: Selection): { sql: string; values: Record<string, string | number> } {
  const { order, limit, after, trace, type, typePrefix, status, since, until, text } = selection;
  const conditions: string[] = [];
  const values: Record<string, string | number> = { limit: limit + 1 };
  const where = (condition: string, given: Record<string, string | number>) => {
    conditions.push(condition);
    Object.assign(values, given);
  };
  if (after !== undefined) where(order === 'asc' ? 'id > :after' : 'id < :after', { after });
  if (trace !== undefined) where('trace_id = :trace', { trace });
  if (type !== undefined) where('event_type = :type', { type });
  if (typePrefix !== undefined) where('substr(event_type, 1, length(:typePrefix)) = :typePrefix', { typePrefix });
  if (status !== undefined) where('status = :status', { status });
  if (since !== undefined) where('at >= :since', { since });
  if (until !== undefined) where('at < :until', { until });
  if (text !== undefined) {
    // The JSON text also holds the keys, which are not searched; but it tells fast which rows are worth a closer look.
    where(
      `(event_type LIKE :like ESCAPE '\\' OR data LIKE :jsonLike ESCAPE '\\' AND EXISTS
         (SELECT 1 FROM json_tree(events.data) WHERE atom LIKE :like ESCAPE '\\'))`,
      { like: contains(text), jsonLike: contains(JSON.stringify(text).slice(1, -1)) },
    );
  }
  const filter = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return { sql: `SELECT * FROM events ${filter} ORDER BY id ${order === 'asc' ? 'ASC' : 'DESC'} LIMIT :limit`, values };
}

function contains(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
