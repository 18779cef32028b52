import { AppError, messageOf } from '../../kernel/errors.ts';
import type { RecordedEvent } from '../../kernel/events.ts';
import { eventTime } from '../event-row.ts';
import type { Session } from './connection.ts';

/** Events as one JSON text, for `append_events`. */
export function batchOf(events: readonly RecordedEvent[]): string {
  let timestamp: string | undefined;
  let at = 0;
  const rows = events.map((event) => {
    // Under load many events have the same time.
    if (event.timestamp !== timestamp) at = eventTime((timestamp = event.timestamp));
    const { trace_id, event_type, status, data } = event;
    return { at, trace_id, event_type, status, data };
  });
  try {
    return storableJson(JSON.stringify(rows));
  } catch (error) {
    throw new AppError('invalid_input', `The data of an event is not JSON: ${messageOf(error)}`, { cause: error });
  }
}

/** Appends a batch, unless one with this token was appended before. */
export async function appendTo(session: Pick<Session, 'change'>, batch: string, token: string): Promise<void> {
  await session.change('SELECT append_events($1, $2)', [batch, token]);
}

/** PostgreSQL's text has neither NUL nor halves of surrogate pairs, which JSON.stringify writes as escapes. */
export function storableJson(json: string): string {
  if (!json.includes(String.raw`\u`)) return json;
  // Every escape is matched, so that the u of an escaped backslash is not taken for one.
  return json.replaceAll(/\\(?:u0000|ud[89a-f][\da-f]{2}|[^])/g, (escape) => (escape.length > 2 ? '\uFFFD' : escape));
}
