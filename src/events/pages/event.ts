import type { Event } from '../../console/client/live.ts';

/** A recorded event. `data` may come from another program: any field can be missing or of any type. */
export type { Event };

const field = (event: Event, name: string): unknown => (Object.hasOwn(event.data, name) ? event.data[name] : undefined);

export function textIn(event: Event, name: string): string | undefined {
  const value = field(event, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberIn(event: Event, name: string): number | undefined {
  const value = field(event, name);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export const flagIn = (event: Event, name: string): boolean => field(event, name) === true;

export function listIn(event: Event, name: string): string[] {
  const value = field(event, name);
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** No call and no run takes longer; a number beyond it is nonsense. */
const LONGEST_MS = 30 * 86_400_000;

/** How long it took, if that is a number that can be true. */
export function durationIn(event: Event): number | undefined {
  const ms = numberIn(event, 'ms');
  return ms !== undefined && ms >= 0 && ms <= LONGEST_MS ? ms : undefined;
}

const CENTURY = Date.UTC(2000, 0);
const FAR = Date.UTC(2200, 0);

/** When it happened, in milliseconds since 1970; undefined if the time is missing or absurd. */
export function timeOf({ timestamp }: Event): number | undefined {
  const at = Date.parse(timestamp);
  return at >= CENTURY && at < FAR ? at : undefined;
}

const callEnds: ReadonlySet<string> = new Set(['tool.call_completed', 'tool.call_unconfirmed', 'tool.call_failed']);

export const isCallEnd = ({ event_type }: Event): boolean => callEnds.has(event_type);
