import type { Fact, FactKind, FactTable } from './facts.ts';
import { own } from './own.ts';

/** In a webhook's filter: whatever came from a watched file, of any type. */
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

/** Takes facts of the types `F`; each part has a table of its own. */
export interface EventLog<F extends Fact> {
  /** Never throws and never blocks the call it reports on. */
  record(fact: F, context?: { traceId?: string }): void;
  /**
   * Settles when what was recorded outlives this process. Undefined unless somebody relies on that: a webhook that
   * must hear of every call whose answer was seen. Never rejects.
   */
  durable?(): Promise<void> | undefined;
}

/** What the tables say of a type; undefined for one that none of them has. */
export const kindOf = (facts: FactTable, type: string): FactKind<Fact> | undefined =>
  own(facts, type) as FactKind<Fact> | undefined;

/** The types that say who changed what. */
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
