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
  | { type: 'gateway.tool_accepted'; backend: string; tool: string; principal: string }
  | { type: 'gateway.server_added'; backend: string; transport: string; principal: string }
  | { type: 'gateway.server_removed'; backend: string; principal: string }
  | { type: 'gateway.server_restarted'; backend: string; principal: string }
  | { type: 'key.created'; key: string; name: string; scopes: string[]; principal: string }
  | { type: 'key.revoked'; key: string; name: string; principal: string }
  | { type: 'auth.refused'; address: string; reason: string; times: number }
  | { type: 'gateway.tools_left_out'; source: string; tool?: string; reason: string }
  /** Somebody has too much open, and was refused more or lost what they do not read. */
  | { type: 'gateway.limit_reached'; limit: string; principal: string; times: number }
  | { type: 'gateway.name_collision'; name: string; owners: string[]; remedy: string }
  | { type: 'gateway.config_reloaded'; added: string[]; changed: string[]; removed: string[]; sections?: string[] }
  | { type: 'gateway.config_rejected'; problems: string[] }
  /** Only where the owner asked for it: redacted, and cut. */
  | { type: 'tool.call_arguments'; tool: string; source: string; principal: string; arguments: string }
  | { type: 'webhook.failing'; webhook: string; reason: string }
  | { type: 'webhook.recovered'; webhook: string; waiting: number; ms: number }
  | { type: 'webhook.event_set_aside'; webhook: string; event: number; eventType: string; reason: string }
  | { type: 'webhook.set_aside_dropped'; webhook: string; events: number }
  | { type: 'webhook.full'; webhook: string; waiting: number }
  | { type: 'webhook.resumed'; webhook: string; waiting: number }
  | { type: 'webhook.events_skipped'; webhook: string; events: number; from: number; to: number }
  | { type: 'watch.lines_rejected'; file: string; bad: number; tooLong: number }
  | { type: 'watch.failed'; file: string; reason: string }
  | { type: 'watch.recovered'; file: string }
  | { type: 'login.completed'; backend: string; issuer: string; principal: string }
  | { type: 'login.failed'; backend: string; issuer?: string; principal: string; reason: string }
  | { type: 'login.refreshed'; backend: string; issuer: string; principal: string }
  | { type: 'login.removed'; backend: string; principal: string }
  | { type: 'n8n.instance_failed'; instance: string; reason: string }
  | { type: 'n8n.instance_recovered'; instance: string; ms: number }
  /** The n8n that Sluice runs crashed or hung; it is started again. */
  | { type: 'n8n.local_failed'; instance: string; reason: string }
  | { type: 'bridge.applied'; instance: string; principal: string; generated: number; tools: number }
  | { type: 'bridge.removed'; instance: string; principal: string; workflows: number }
  | { type: 'bridge.discovery_failed'; instance: string; reason: string }
  | { type: 'bridge.discovery_recovered'; instance: string }
  | { type: 'bridge.workflows_changed'; instance: string; via: string; workflows: string[]; count: number }
  | { type: 'bridge.hook_refused'; instance: string; reason: string; times: number }
  | { type: 'bridge.file_rejected'; file: string; reason: string }
  | { type: 'bridge.file_accepted'; file: string; workflows: number }
  | { type: 'tool.call_received'; tool: string; source: string; principal: string; bytes?: number }
  | ({ type: 'tool.call_completed'; tool: string; source: string; principal: string; ms: number; bytes?: number } & Ran)
  | ({
      type: 'tool.call_failed';
      tool: string;
      source: string;
      principal: string;
      ms: number;
      reason: string;
      asked?: string;
    } & Ran);

/** The execution in n8n that a call began, where n8n says which. */
type Ran = { execution?: string };

/** Who changed what: the types of the audit, the last character of a prefix being a star. */
export const auditTypes = [
  'gateway.started',
  'gateway.stopped',
  'gateway.server_*',
  'gateway.tool_accepted',
  'gateway.config_*',
  'key.*',
  'login.completed',
  'login.failed',
  'login.removed',
  'bridge.applied',
  'bridge.removed',
] as const;

/** In a webhook's filter: whatever came from a watched file, of any type. */
export const WATCHED = '@watched';

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
  /**
   * Settles when what was recorded outlives this process. Undefined unless somebody relies on that: a webhook that
   * must hear of every call whose answer was seen. Never rejects.
   */
  durable?(): Promise<void> | undefined;
}

const failures: ReadonlySet<EventType> = new Set([
  'gateway.backend_failed',
  'gateway.backend_degraded',
  'gateway.limit_reached',
  'gateway.name_collision',
  'gateway.tools_left_out',
  'gateway.config_rejected',
  'webhook.failing',
  'webhook.event_set_aside',
  'webhook.set_aside_dropped',
  'webhook.full',
  'webhook.events_skipped',
  'watch.lines_rejected',
  'watch.failed',
  'tool.call_failed',
  'auth.refused',
  'login.failed',
  'n8n.instance_failed',
  'n8n.local_failed',
  'bridge.discovery_failed',
  'bridge.hook_refused',
  'bridge.file_rejected',
]);

export function statusOf(type: EventType): EventStatus {
  if (type === 'tool.call_received') return 'pending';
  return failures.has(type) ? 'failure' : 'success';
}

export function toEvent(fact: Fact, traceId: string, timestamp = new Date().toISOString()): RecordedEvent {
  const { type, ...data } = fact;
  return { timestamp, trace_id: traceId, event_type: type, status: statusOf(type), data };
}
