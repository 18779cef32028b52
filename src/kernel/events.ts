import type { Fact, FactKind, FactTable } from './facts.ts';
import { own } from './own.ts';

/** Webhook filter for events of any type from watched files. */
export const WATCHED = '@watched';

export type EventStatus = 'success' | 'failure' | 'pending';

/** An event as it is stored, queried and forwarded. */
export interface RecordedEvent {
  timestamp: string;
  trace_id: string;
  event_type: string;
  status: EventStatus;
  data: Record<string, unknown>;
}

/** Records facts of the types `F`. Each part has its own table. */
export interface EventLog<F extends Fact> {
  /** Never throws and never blocks the call it reports. */
  record(fact: F, context?: { traceId?: string }): void;
  /**
   * Whether everything recorded so far is stored durably; resolves once it is, or after two seconds at most. Undefined
   * unless something relies on that: a webhook that must receive the events of every answered call. Never rejects.
   */
  durable?(): Promise<boolean> | undefined;
}

/** Looks up a type in the tables; undefined if unknown. */
export const kindOf = (facts: FactTable, type: string): FactKind<Fact> | undefined =>
  own(facts, type) as FactKind<Fact> | undefined;

/** The types that form the audit trail. */
export const auditTypes = (facts: FactTable): string[] => Object.keys(facts).filter((type) => facts[type]?.audit);

export function toEvent(
  facts: FactTable,
  fact: Fact,
  traceId: string,
  timestamp = new Date().toISOString(),
): RecordedEvent {
  const { type, ...data } = fact;
  return { timestamp, trace_id: traceId, event_type: type, status: kindOf(facts, type)?.status ?? 'success', data };
}
