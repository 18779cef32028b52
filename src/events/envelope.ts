import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { OutboxEvent } from '../store/store.ts';

/** Tells this gateway's events and deliveries from other gateways'. Derived from a secret in the store. */
export interface Origin {
  /** Prefix of each event id. */
  readonly id: string;
  /** Prefix of each delivery's trace id: a call with this prefix was caused by a delivery. */
  readonly trace: string;
}

export function originOf(secret: Buffer): Origin {
  return { id: secret.toString('hex', 0, 4), trace: secret.toString('hex', 8, 16) };
}

/**
 * One event as its receiver gets it. `data` is JSON text already and is inserted unchanged. The type is sent twice
 * because workflows built for event files read it from `event`.
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

/** The same events give the same id, even after a restart, so a receiver can deduplicate. */
export function deliveryId(webhook: string, events: readonly OutboxEvent[], origin: Origin): string {
  const ids = events.map(({ id }) => id).join(' ');
  return createHash('sha256').update(`${origin.id} ${webhook} ${ids}`).digest('hex').slice(0, 32);
}

/** A single event is the body itself; several are sent as a list. */
export function bodyOf(delivery: string, events: readonly string[], alone: boolean): string {
  if (alone && events.length === 1) return events[0] as string;
  return `{"delivery":"${delivery}","events":[${events.join(',')}]}`;
}

/** HMAC-SHA256 over `timestamp.body`, so that nobody can replay an old delivery as a new one. */
export function signature(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

export function deliveryTrace({ trace }: Origin): string {
  return `00-${trace}${randomBytes(8).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
}
