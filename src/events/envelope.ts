import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { OutboxEvent } from '../store/store.ts';

/** What tells this gateway's events and deliveries from those of others. Made of a secret of the store. */
export interface Origin {
  /** Begins the id of each event. */
  readonly id: string;
  /** Begins the trace id of each delivery: a call that carries it was caused by one. */
  readonly trace: string;
}

export function originOf(secret: Buffer): Origin {
  return { id: secret.toString('hex', 0, 4), trace: secret.toString('hex', 8, 16) };
}

/**
 * One event as its receiver gets it. Its data is text already, and stays as it is. The type stands there twice: workflows
 * made for files of events read `event`, as those files have it.
 */
export function eventJson({ id, at, trace_id, event_type, status, data }: OutboxEvent, origin: Origin): string {
  const head = JSON.stringify({
    id: `${origin.id}-${id}`,
    timestamp: new Date(at).toISOString(),
    trace_id,
    event: event_type,
    event_type,
    status,
  });
  return `${head.slice(0, -1)},"data":${data}}`;
}

/** The same events give the same id, also after a restart. */
export function deliveryId(webhook: string, events: readonly OutboxEvent[], origin: Origin): string {
  const ids = events.map(({ id }) => id).join(' ');
  return createHash('sha256').update(`${origin.id} ${webhook} ${ids}`).digest('hex').slice(0, 32);
}

/** A single event is the body itself; several come in a list. */
export function bodyOf(delivery: string, events: readonly string[], alone: boolean): string {
  if (alone && events.length === 1) return events[0] as string;
  return `{"delivery":"${delivery}","events":[${events.join(',')}]}`;
}

/** HMAC-SHA256 over the time, a dot and the body: an old delivery cannot be sent again as a new one. */
export function signature(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

export function deliveryTrace({ trace }: Origin): string {
  return `00-${trace}${randomBytes(8).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
}
