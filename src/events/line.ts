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
 * Parses a line of a watched file: `{timestamp?, trace_id?, event | event_type, status?, data?, …}`. Other keys go into
 * `data`, along with the name of the file. Undefined if the line is not an event.
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
      // The line has both: keep the one that is not the type.
      ...(event_type !== undefined && event !== undefined && { event }),
      // Keep a status that we do not know or had to translate.
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
  // Numbers below 1e11 are seconds: as milliseconds they would be in 1970-1973; as seconds they reach the year 5138.
  const time = new Date(typeof given === 'number' && given < 1e11 ? given * 1000 : given);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
