/** Facts in the past tense. Their fields are an allow-list: no arguments, no results, no secrets. */
export type Fact =
  | { type: 'gateway.started'; version: string; url?: string }
  | { type: 'gateway.stopped'; reason: string }
  | { type: 'gateway.backend_registered'; backend: string; transport: string }
  | { type: 'gateway.backend_started'; backend: string; tools: number; ms: number; protocol: string }
  | { type: 'gateway.backend_failed'; backend: string; reason: string; retryInMs?: number }
  | { type: 'gateway.backend_degraded'; backend: string; reason: string }
  | { type: 'gateway.backend_recovered'; backend: string }
  | { type: 'gateway.backend_stopped'; backend: string; reason: string }
  | { type: 'gateway.backend_removed'; backend: string }
  | { type: 'gateway.tool_changed'; backend: string; tool: string; held: boolean }
  | { type: 'gateway.tool_accepted'; backend: string; tool: string }
  | { type: 'gateway.name_collision'; name: string; owners: string[]; remedy: string }
  | { type: 'gateway.config_reloaded'; added: string[]; changed: string[]; removed: string[] }
  | { type: 'gateway.config_rejected'; problems: string[] }
  | { type: 'tool.call_received'; tool: string; source: string; principal: string; bytes?: number }
  | { type: 'tool.call_completed'; tool: string; source: string; principal: string; ms: number; bytes?: number }
  | { type: 'tool.call_failed'; tool: string; source: string; principal: string; ms: number; reason: string };

export type EventType = Fact['type'];
export type EventStatus = 'success' | 'failure' | 'pending';

/** An event as it is stored, queried and forwarded. */
export interface RecordedEvent {
  timestamp: string;
  trace_id: string;
  event_type: string;
  status: EventStatus;
  data: Record<string, unknown>;
}

export interface EventLog {
  /** Never throws and never blocks the call it reports on. */
  record(fact: Fact, context?: { traceId?: string }): void;
}

const failures: ReadonlySet<EventType> = new Set([
  'gateway.backend_failed',
  'gateway.backend_degraded',
  'gateway.name_collision',
  'gateway.config_rejected',
  'tool.call_failed',
]);

export function statusOf(type: EventType): EventStatus {
  if (type === 'tool.call_received') return 'pending';
  return failures.has(type) ? 'failure' : 'success';
}

export function toEvent(fact: Fact, traceId: string, now: Date = new Date()): RecordedEvent {
  const { type, ...data } = fact;
  return { timestamp: now.toISOString(), trace_id: traceId, event_type: type, status: statusOf(type), data };
}
