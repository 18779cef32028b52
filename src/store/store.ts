import type { EventStatus, RecordedEvent } from '../kernel/events.ts';

/** What outlives a restart. Each implementation passes the suite of store.contract.ts. */
export interface Store extends AsyncDisposable {
  readonly catalogues: Catalogues;
  readonly servers: Servers;
  readonly settings: Settings;
  readonly definitions: Definitions;
  readonly events: Events;
}

/** The last known offer of each backend, so that its tools stay listed while it restarts. */
export interface Catalogues {
  get(server: string): Promise<Catalogue | undefined>;
  /** `value` is JSON; `fingerprint` is that of the configuration it was read under. */
  put(server: string, fingerprint: string, value: unknown): Promise<void>;
  delete(server: string): Promise<void>;
  /** In the order of their names. */
  all(): Promise<(Catalogue & { server: string })[]>;
}

export interface Catalogue {
  fingerprint: string;
  value: unknown;
  savedAt: string;
}

/** Servers added while running. */
export interface Servers {
  /** In the order of their names. */
  list(): Promise<AddedServer[]>;
  put(name: string, config: unknown, addedBy: string): Promise<void>;
  /** Whether there was one. */
  delete(name: string): Promise<boolean>;
}

export interface AddedServer {
  name: string;
  config: unknown;
  addedAt: string;
  addedBy: string;
}

export interface Settings {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  /** 32 random bytes, made at the first call and the same ever after, whoever asks. Not readable with `get`. */
  secret(key: string): Promise<Buffer>;
}

/** The accepted definition of each tool, as a hash: a backend that changes one is noticed. */
export interface Definitions {
  get(server: string): Promise<Map<string, string>>;
  put(server: string, tool: string, hash: string): Promise<void>;
  /** Without `tool`, all of the server's. */
  delete(server: string, tool?: string): Promise<void>;
}

export interface Events {
  /** All or nothing. Timestamps are kept to the millisecond, in UTC. */
  append(events: readonly RecordedEvent[]): Promise<void>;
  query(query?: EventQuery): Promise<EventPage>;
  /** Deletes what happened before, and says how many that were. */
  prune(before: Date): Promise<number>;
  count(): Promise<number>;
}

export interface EventQuery {
  trace?: string;
  /** `tool.call_failed`, or a prefix: `tool.*`. */
  type?: string;
  status?: EventStatus;
  since?: Date;
  /** Exclusive. */
  until?: Date;
  /** Occurs in the type or in a value of the data, whatever the case of ASCII letters. */
  text?: string;
  /** 100 unless told, at most 1000. */
  limit?: number;
  /** From the page before, with the same filters and order. */
  cursor?: string;
  /** In the order of recording; `desc`, the newest first, unless told. */
  order?: 'asc' | 'desc';
}

export interface EventPage {
  events: StoredEvent[];
  /** There is more. */
  cursor?: string;
}

export type StoredEvent = RecordedEvent & { id: number };
