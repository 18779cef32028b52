import { createHash } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';
import type { EventStatus } from '../kernel/events.ts';
import type { OwnCalls } from '../kernel/own-calls.ts';
import type { EventFilter, EventPage, EventQuery, StoredEvent } from './store.ts';

/** A validated query: plain data for any engine, and for messages to a thread. */
export interface Selection {
  trace?: string;
  type?: string;
  typePrefix?: string;
  status?: EventStatus;
  source?: string;
  tool?: string;
  principal?: string;
  own?: OwnCalls;
  /** The types of the audit trail, if only those are wanted. */
  audit?: readonly string[];
  since?: number;
  until?: number;
  text?: string;
  order: 'asc' | 'desc';
  limit: number;
  /** The page starts after this id, in the requested order. */
  after?: number;
}

const MAX_LIMIT = 1000;
const MAX_TEXT = 1000;
const statuses: ReadonlySet<string> = new Set<EventStatus>(['success', 'failure', 'pending']);

/** `audit` lists the types that `query.audit` stands for. */
export function selectionOf(query: EventQuery, audit: readonly string[]): Selection {
  const { order = 'desc' } = query;
  if (order !== 'asc' && order !== 'desc') throw new AppError('invalid_input', 'order must be asc or desc.');
  const selection = { ...filtersOf(query, audit), order, limit: limitOf(query.limit) };
  return query.cursor === undefined ? selection : { ...selection, after: positionOf(query.cursor, selection) };
}

/** The same for events after an id. */
export function followingOf(filter: EventFilter, audit: readonly string[], after: number, limit?: number): Selection {
  if (!Number.isSafeInteger(after) || after < 0) {
    throw new AppError('invalid_input', 'The position must be a whole number from an earlier answer.');
  }
  return { ...filtersOf(filter, audit), order: 'asc', limit: limitOf(limit), after };
}

function limitOf(limit = 100): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new AppError(
      'invalid_input',
      `limit must be a whole number from 1 to ${MAX_LIMIT}. Use the cursor for more.`,
    );
  }
  return limit;
}

function filtersOf(query: EventFilter, audit: readonly string[]): Omit<Selection, 'order' | 'limit'> {
  const { text, status, source, tool, principal } = query;
  if (status !== undefined && !statuses.has(status)) {
    throw new AppError('invalid_input', `status must be one of ${[...statuses].join(', ')}.`);
  }
  if (text !== undefined && text.length > MAX_TEXT) {
    throw new AppError('invalid_input', `text may have at most ${MAX_TEXT} characters.`);
  }
  return {
    ...(query.trace !== undefined && { trace: query.trace }),
    ...typeOf(query.type),
    ...(status !== undefined && { status }),
    ...(source !== undefined && { source }),
    ...(tool !== undefined && { tool }),
    ...(principal !== undefined && { principal }),
    ...(query.own && { own: query.own }),
    ...(query.audit && { audit }),
    ...(query.since !== undefined && { since: timeOf('since', query.since) }),
    ...(query.until !== undefined && { until: timeOf('until', query.until) }),
    ...(text && { text }),
  };
}

/** Makes a page from up to `limit + 1` rows. The extra row only tells that there is more. */
export function pageOf(selection: Selection, rows: StoredEvent[]): EventPage {
  if (rows.length <= selection.limit) return { events: rows };
  const events = rows.slice(0, selection.limit);
  const last = events.at(-1) as StoredEvent;
  return { events, cursor: cursorAt(last.id, selection) };
}

function typeOf(type: string | undefined): Pick<Selection, 'type' | 'typePrefix'> {
  if (type === undefined) return {};
  const star = type.indexOf('*');
  if (star === -1) return { type };
  if (star !== type.length - 1) {
    throw new AppError(
      'invalid_input',
      `type may contain one * at its end, as in tool.*, but is ${JSON.stringify(type)}.`,
    );
  }
  return star === 0 ? {} : { typePrefix: type.slice(0, -1) };
}

export function timeOf(name: string, date: Date): number {
  const time = date.getTime();
  if (Number.isNaN(time)) throw new AppError('invalid_input', `${name} is not a valid time.`);
  return time;
}

function cursorAt(id: number, selection: Selection): string {
  const { trace, type, typePrefix, status, source, tool, principal, own, audit, text, order } = selection;
  // Leave the times out: "the last hour" moves on while somebody pages through it.
  const query = JSON.stringify([id, trace, type, typePrefix, status, source, tool, principal, own, audit, text, order]);
  return `${id.toString(36)}-${createHash('sha256').update(query).digest('base64url').slice(0, 12)}`;
}

function positionOf(cursor: string, selection: Selection): number {
  const id = Number.parseInt(cursor, 36);
  if (!Number.isSafeInteger(id) || cursorAt(id, selection) !== cursor) {
    throw new AppError(
      'invalid_input',
      'This cursor does not belong to this query. Repeat the query it came from unchanged, or leave the cursor out to start over.',
    );
  }
  return id;
}
