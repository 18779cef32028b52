import type { DatabaseSync } from 'node:sqlite';
import { AppError, messageOf } from '../../kernel/errors.ts';
import type { RecordedEvent } from '../../kernel/events.ts';
import { eventTime } from '../event-row.ts';
import { impatiently, inTransaction } from './connection.ts';

const COLUMNS = 5;
/** How many rows to insert per statement. Single inserts would take almost twice as long. */
const ROWS = 32;

/** Writes events on one connection. */
export function eventWriter(db: DatabaseSync): (events: readonly RecordedEvent[]) => void {
  const insert = (rows: number) =>
    db.prepare(
      `INSERT INTO events (at, trace_id, event_type, status, data) VALUES ${Array(rows).fill('(?, ?, ?, ?, ?)').join()}`,
    );
  const one = insert(1);
  const many = insert(ROWS);
  return (events) => {
    if (events.length === 0) return;
    const values = valuesOf(events);
    const write = () => {
      let next = 0;
      for (; next + ROWS * COLUMNS <= values.length; next += ROWS * COLUMNS) {
        many.run(...values.slice(next, next + ROWS * COLUMNS));
      }
      for (; next < values.length; next += COLUMNS) one.run(...values.slice(next, next + COLUMNS));
    };
    impatiently(db, () => inTransaction(db, write));
  };
}

/** The columns of all events in one list. */
function valuesOf(events: readonly RecordedEvent[]): (string | number)[] {
  const values: (string | number)[] = [];
  let timestamp: string | undefined;
  let at = 0;
  for (const event of events) {
    // Under load many events have the same time.
    if (event.timestamp !== timestamp) at = eventTime((timestamp = event.timestamp));
    values.push(at, event.trace_id, event.event_type, event.status, dataOf(event));
  }
  return values;
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
