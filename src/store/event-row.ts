import { AppError } from '../kernel/errors.ts';
import type { EventStatus } from '../kernel/events.ts';
import type { StoredEvent } from './store.ts';

/** An event as a row of its table. `at` is milliseconds since 1970, `data` JSON. */
export interface EventRow {
  id: number;
  at: number;
  trace_id: string;
  event_type: string;
  status: EventStatus;
  data: string;
}

/** About what a row takes up beside its data, with its share of the indexes. */
export const ROW_BYTES = 200;

export function eventOf(row: EventRow): StoredEvent {
  return {
    id: row.id,
    timestamp: new Date(row.at).toISOString(),
    trace_id: row.trace_id,
    event_type: row.event_type,
    status: row.status,
    data: JSON.parse(row.data) as Record<string, unknown>,
  };
}

/** Milliseconds since 1970. */
export function eventTime(timestamp: string): number {
  const at = Date.parse(timestamp);
  if (!Number.isNaN(at)) return at;
  throw new AppError('invalid_input', `The event's timestamp ${JSON.stringify(timestamp)} is not an ISO time.`);
}
