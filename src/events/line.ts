import { isUtf8 } from 'node:buffer';
import type { EventStatus, RecordedEvent } from '../kernel/events.ts';
import { traceFrom } from '../kernel/trace.ts';
import { own } from '../kernel/own.ts';

const LONGEST_TYPE = 200;
const LONGEST_TRACE = 128;

const STATUSES: Readonly<Record<string, EventStatus>> = {
  success: 'success',
  succeeded: 'success',
  completed: 'success',
  ok: 'success',
  failure: 'failure',
  failed: 'failure',
  error: 'failure',
  pending: 'pending',
  started: 'pending',
  running: 'pending',
};

/**
 * The event in a line of a watched file: `{timestamp?, trace_id?, event | event_type, status?, data?, …}`.
 * Other keys go to its data, with the name of the file. Undefined where the line is no such event.
 */
export function eventInLine(
  line: Buffer,
  file: string,
  redact: (text: string) => string,
  now: Date = new Date(),
): RecordedEvent | undefined {
  const given = objectIn(line, redact);
  if (!given) return undefined;
  const { timestamp, trace_id, event, event_type, status, data, ...others } = given;
  const type = event_type ?? event;
  if (typeof type !== 'string' || type === '' || type.length > LONGEST_TYPE) return undefined;
  const known = typeof status === 'string' ? own(STATUSES, status.toLowerCase()) : undefined;
  return {
    timestamp: (timeOf(timestamp) ?? now).toISOString(),
    trace_id: isTrace(trace_id) ? trace_id : traceFrom().traceId,
    event_type: type,
    status: known ?? 'success',
    data: {
      ...others,
      // Both were given, and say different things.
      ...(event_type !== undefined && event !== undefined && { event }),
      // What has no place among our statuses is not lost.
      ...(status !== undefined && known !== status && { status }),
      ...(isObject(data) ? data : data !== undefined && { data }),
      watched: file,
    },
  };
}

function objectIn(line: Buffer, redact: (text: string) => string): Record<string, unknown> | undefined {
  if (!isUtf8(line)) return undefined;
  try {
    const value: unknown = JSON.parse(redact(line.toString('utf8').replace(/^\uFEFF/, '')));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isTrace(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_TRACE;
}

/** An ISO time, or seconds or milliseconds since 1970. */
function timeOf(given: unknown): Date | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined;
  // Nobody means the year 1970 by milliseconds, nor 5138 by seconds.
  const time = new Date(typeof given === 'number' && given < 1e11 ? given * 1000 : given);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
