import type { EventStatus, RecordedEvent } from '../kernel/events.ts';
import type { OwnCalls } from '../kernel/own-calls.ts';
import type { Shared } from '../kernel/shared.ts';

/** Everything that survives a restart. Each implementation passes the tests of store.contract.ts. */
export interface Store extends AsyncDisposable {
  readonly catalogues: Catalogues;
  readonly servers: Servers;
  readonly settings: Settings;
  readonly definitions: Definitions;
  readonly events: Events;
  readonly outbox: Outbox;
  readonly tails: Tails;
  readonly keys: Keys;
  readonly oauth: OAuthRecords;
  readonly logins: Logins;
  readonly taskOwners: TaskOwners;
  readonly tables: Tables;
  /** The same tables, for work that may take long: it never holds up the calls of others. */
  readonly apart: TablesApart;
  /** What the processes with this store agree on. */
  readonly shared: Shared;
  /** What is wrong with the place where everything is stored, without writing to it. */
  trouble(): StoreTrouble | undefined;
}

export interface StoreTrouble {
  readonly state: 'degraded' | 'failing';
  readonly message: string;
}

/** The steps that make the tables of a part, one per version; released steps never change. */
export interface Migrations {
  readonly sqlite: readonly string[];
  readonly postgres: readonly string[];
}

export interface StoreOptions {
  /** The event types of the audit trail. */
  readonly audit?: readonly string[];
  /** By part. */
  readonly migrations?: ReadonlyMap<string, Migrations>;
  /** Whether a process without the key of the store makes up the secrets that it needs to start. */
  readonly standIns?: boolean;
}

/** A value that goes in for a `?`. */
export type TableValue = string | number | null | Uint8Array;

/** For parts with tables of their own. SQL is text of the program; values go in for its `?`, never into the text. */
export interface Tables {
  rows<Row extends object>(sql: string, ...values: readonly TableValue[]): Promise<Row[]>;
  /** How many rows changed. */
  change(sql: string, ...values: readonly TableValue[]): Promise<number>;
}

export interface Statement {
  readonly sql: string;
  readonly values: readonly TableValue[];
  /** How many rows it has to change; otherwise nothing of the batch happens. */
  readonly expect?: number;
}

/** With SQLite in a thread with its own connection, where the functions of sqlite-vec are there, too. */
export interface TablesApart extends Tables {
  readonly dialect: 'sqlite' | 'postgres';
  /** In order, all or nothing. Returns how many rows each changed; undefined if one did not change as many as it expects. */
  batch(statements: readonly Statement[]): Promise<readonly number[] | undefined>;
}

/** The last known catalogue of each backend, so that its tools stay listed while it restarts. */
export interface Catalogues {
  get(server: string): Promise<Catalogue | undefined>;
  /** `value` is JSON; `fingerprint` identifies the configuration it was read with. */
  put(server: string, fingerprint: string, value: unknown): Promise<void>;
  delete(server: string): Promise<void>;
  /** Sorted by name. */
  all(): Promise<(Catalogue & { server: string })[]>;
}

export interface Catalogue {
  fingerprint: string;
  value: unknown;
  savedAt: string;
}

/** Servers added at run time. */
export interface Servers {
  /** Sorted by name. */
  list(): Promise<AddedServer[]>;
  put(name: string, config: unknown, addedBy: string): Promise<void>;
  /** Returns whether it existed. */
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
  /** 32 random bytes, created at the first call and constant afterwards. Not readable with `get`. */
  secret(key: string): Promise<Buffer>;
}

/** Hashes of the accepted tool definitions, to notice when a backend changes one. */
export interface Definitions {
  get(server: string): Promise<Map<string, string>>;
  /** tool -> hash. Stores all or none. */
  put(server: string, hashes: ReadonlyMap<string, string>): Promise<void>;
  /** Without `tool`, deletes all of the server's. */
  delete(server: string, tool?: string): Promise<void>;
}

export interface Events {
  /** All or nothing. Timestamps have millisecond precision, in UTC. */
  append(events: readonly RecordedEvent[]): Promise<void>;
  query(query?: EventQuery): Promise<EventPage>;
  /** Events recorded after an id, oldest first, at most `limit` (default 100, maximum 1000). */
  follow(filter: EventFilter, after: number, limit?: number): Promise<FollowedEvents>;
  /** The calls in a period, by tool, source and principal. */
  usage(period?: { since?: Date; until?: Date }): Promise<CallGroup[]>;
  /**
   * Deletes events before this time, and the oldest of the rest beyond `max` or `maxBytes`, but nothing from the id
   * `keepFrom` on. The audit trail has the same limits for itself: calls never push it out. Returns how many.
   */
  prune(before: Date, limits?: { max?: number; maxBytes?: number; keepFrom?: number }): Promise<number>;
  count(): Promise<number>;
  /**
   * The first and last id, the time of the first, and the bytes that events take up at most; cheap, unlike a count.
   * Undefined if there are no events.
   */
  span(): Promise<{ first: number; last: number; since: Date; bytes: number } | undefined>;
}

export interface EventFilter {
  trace?: string;
  /** `tool.call_failed`, or a prefix: `tool.*`. */
  type?: string;
  status?: EventStatus;
  /** The server, module or other source of the event. */
  source?: string;
  /** Exposed name of a tool. */
  tool?: string;
  /** Id of the principal that caused it. */
  principal?: string;
  /** Only these calls, in addition to the other filters. */
  own?: OwnCalls;
  /** Only the audit trail: who changed what. */
  audit?: boolean;
  since?: Date;
  /** Exclusive. */
  until?: Date;
  /** Text in the type or in a value of the data; ASCII letters match in any case. */
  text?: string;
}

export interface EventQuery extends EventFilter {
  /** Default 100, maximum 1000. */
  limit?: number;
  /** Cursor of the previous page, with the same filters and order. */
  cursor?: string;
  /** Order of recording; default `desc`, newest first. */
  order?: 'asc' | 'desc';
}

export interface FollowedEvents {
  events: StoredEvent[];
  /** Everything up to this id was searched. Continue from here. */
  position: number;
}

/** The calls of one principal to one tool. */
export interface CallGroup {
  tool: string;
  source: string;
  principal: string;
  calls: number;
  failed: number;
  /** Number of failures by reason. */
  reasons: Record<string, number>;
  /** Number of calls by latency class. */
  latencies: Record<number, number>;
}

export interface EventPage {
  events: StoredEvent[];
  /** Present if there are more. */
  cursor?: string;
}

export type StoredEvent = RecordedEvent & { id: number };

/** API keys, without their secrets. */
export interface Keys {
  add(key: StoredKey): Promise<void>;
  /** In order of creation, including revoked keys. */
  list(): Promise<StoredKey[]>;
  /** Returns whether it existed and was not revoked yet. It stays in the list. */
  revoke(id: string, at: string): Promise<boolean>;
}

export interface StoredKey {
  readonly id: string;
  /** SHA-256 of the secret. */
  readonly hash: Buffer;
  readonly grant: KeyGrant;
  readonly revokedAt?: string;
}

/** What a key is and what it allows. */
export interface KeyGrant {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly tools?: readonly string[];
  readonly readOnly?: boolean;
  readonly confirm?: 'never' | 'destructive' | 'writes';
  /** For example 60/min. */
  readonly rate?: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt?: string;
}

/** Records of the built-in authorization server: clients, grants, tokens, logins. Expired ones are not found. */
export interface OAuthRecords {
  find(kind: string, id: string): Promise<OAuthRecord | undefined>;
  /** Those that expire last come first. */
  list(kind: string, limit: number): Promise<(OAuthRecord & { readonly id: string })[]>;
  findByUid(kind: string, uid: string): Promise<OAuthRecord | undefined>;
  put(kind: string, id: string, record: OAuthRecord & { uid?: string; grant?: string }): Promise<void>;
  /** Marks it as used. False if it was already used or does not exist; of two concurrent calls only one succeeds. */
  consume(kind: string, id: string, at: number): Promise<boolean>;
  /** Moves an expiry later, never earlier. A record without expiry stays so. */
  extend(kind: string, id: string, until: number): Promise<void>;
  delete(kind: string, id: string): Promise<void>;
  /** Deletes everything stored with this grant. */
  deleteGrant(grant: string): Promise<void>;
  /** Returns how many there were. */
  deleteKind(kind: string): Promise<number>;
  /** Deletes the record of this kind that would expire next. */
  deleteNext(kind: string): Promise<void>;
  count(kind: string): Promise<number>;
}

/** Times are milliseconds since 1970. */
export interface OAuthRecord {
  readonly payload: string;
  readonly expires?: number;
  readonly consumed?: number;
}

/** A stored event. Its data stays JSON text, because it is only passed on. */
export interface OutboxEvent {
  id: number;
  at: number;
  trace_id: string;
  event_type: string;
  status: string;
  data: string;
}

/** Events a webhook does not get because its queue was full. Without `to` the gap is still open. */
export interface Gap {
  /** The last event before the gap. */
  from: number;
  to?: number;
}

export interface OutboxPlace {
  webhook: string;
  /** Every event up to this id was delivered, unwanted or set aside. */
  deliveredTo: number;
  delivered: number;
  skipped: number;
  dead: number;
  gaps: Gap[];
  problem?: { reason: string; since: string };
}

export interface DeadEvent {
  webhook: string;
  event: OutboxEvent;
  reason: string;
  tries: number;
  setAsideAt: string;
  /** Whether somebody asked for a retry. */
  again: boolean;
}

/** A process that delivers. The id is different after each restart. */
export interface Holder {
  id: string;
  pid: number;
}

/** The events to deliver to each webhook, and how far each has come. */
export interface Outbox {
  /** A new webhook starts after the newest event. */
  open(webhook: string): Promise<OutboxPlace>;
  list(): Promise<OutboxPlace[]>;
  /** Takes or renews the right to deliver, for this long. False if another living process has it. */
  hold(webhook: string, holder: Holder, ms: number, isAlive: (pid: number) => boolean): Promise<boolean>;
  release(webhook: string, holder: Holder): Promise<void>;
  /** In order of recording. */
  after(id: number, limit: number): Promise<OutboxEvent[]>;
  lastId(): Promise<number>;
  /** Time of the first event after this id. */
  oldest(after: number): Promise<Date | undefined>;
  delivered(webhook: string, upTo: number, count: number): Promise<void>;
  failed(webhook: string, reason: string): Promise<void>;
  /** Stores a copy for `dead` and moves the position past the event. */
  setAside(webhook: string, event: OutboxEvent, reason: string, tries: number): Promise<void>;
  stopAfter(webhook: string, id: number): Promise<void>;
  /** Delivers events recorded from now on again. */
  goOn(webhook: string): Promise<void>;
  skip(webhook: string, gap: Required<Gap>): Promise<void>;
  dead(wanted?: { webhook?: string; again?: boolean; limit?: number }): Promise<DeadEvent[]>;
  /** Returns how many will be retried. Without `id`, all. */
  retry(wanted?: { webhook?: string; id?: number }): Promise<number>;
  discard(wanted?: { webhook?: string; id?: number }): Promise<number>;
  /** Drops the oldest beyond `most`, and those set aside before this time. Returns how many. */
  trimDead(webhook: string, most: number, before: Date): Promise<number>;
  refusedAgain(webhook: string, id: number, reason: string): Promise<void>;
  /**
   * The first event that a webhook still needs. It and all later ones must not be deleted. Counts webhooks that are
   * configured or were until recently.
   */
  keepFrom(configured?: readonly string[]): Promise<number | undefined>;
}

/** How far a watched file was read. */
export interface TailPlace {
  /** Device and inode of the file. */
  file: string;
  offset: number;
  /** Length and hash of the first bytes: inodes are reused. */
  head: string;
  /** Whether it stopped inside a line that is too long. */
  skipping: boolean;
  bad: number;
  tooLong: number;
}

export interface Tails {
  get(path: string): Promise<TailPlace | undefined>;
  /** Stores the events together with the new position, or neither. False if the position is no longer `from`. */
  commit(path: string, from: TailPlace | undefined, to: TailPlace, events: readonly RecordedEvent[]): Promise<boolean>;
}

/** Logins at servers behind the gateway: who is signed in where, and as which client. Secrets are encrypted. */
export interface Logins {
  /** Newest first. `principal` is empty if one login serves everybody. */
  find(resource: string, principal: string): Promise<StoredLogin[]>;
  /** Replaces the login with the same resource, principal and issuer. */
  put(resource: string, principal: string, issuer: string, sealed: Buffer): Promise<void>;
  /** Returns how many there were. */
  delete(resource: string, principal: string): Promise<number>;
  /** The client registered with an issuer for a redirect URI. */
  client(issuer: string, redirect: string): Promise<Buffer | undefined>;
  putClient(issuer: string, redirect: string, sealed: Buffer): Promise<void>;
  /** Without `redirect`, deletes all of the issuer's. */
  deleteClient(issuer: string, redirect?: string): Promise<void>;
}

export interface StoredLogin {
  readonly issuer: string;
  readonly sealed: Buffer;
  /** Highest for the newest. */
  readonly revision: number;
}

/** Owners of tasks, also after a restart. Expired ones are not found. */
export interface TaskOwners {
  /** Replaces the task with the same id. Keeps the newest `most` of its principal. */
  put(task: OwnedTask, most: number): Promise<void>;
  get(id: string): Promise<OwnedTask | undefined>;
  /** All tasks that a server knows by one of these names. */
  at(server: string, own: readonly string[]): Promise<OwnedTask[]>;
}

export interface OwnedTask {
  /** The id that clients use. */
  readonly id: string;
  readonly server: string;
  /** The id that its server uses. */
  readonly own: string;
  readonly principal: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** The replica that runs its server, if each replica runs its own. Kept only in stores that replicas share. */
  readonly replica?: string;
}
