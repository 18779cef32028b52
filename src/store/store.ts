import type { EventStatus, RecordedEvent } from '../kernel/events.ts';
import type { OwnCalls } from '../kernel/own-calls.ts';

/** What outlives a restart. Each implementation passes the suite of store.contract.ts. */
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
}

/** For parts with tables of their own. SQL is text of the program; values go in for its `?`, never into the text. */
export interface Tables {
  rows<Row extends object>(sql: string, ...values: readonly (string | number | null)[]): Promise<Row[]>;
  /** How many rows changed. */
  change(sql: string, ...values: readonly (string | number | null)[]): Promise<number>;
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
  /** All of them, or none: tool -> hash. */
  put(server: string, hashes: ReadonlyMap<string, string>): Promise<void>;
  /** Without `tool`, all of the server's. */
  delete(server: string, tool?: string): Promise<void>;
}

export interface Events {
  /** All or nothing. Timestamps are kept to the millisecond, in UTC. */
  append(events: readonly RecordedEvent[]): Promise<void>;
  query(query?: EventQuery): Promise<EventPage>;
  /** What was recorded after an id, oldest first, at most `limit` of it (100 unless told, at most 1000). */
  follow(filter: EventFilter, after: number, limit?: number): Promise<FollowedEvents>;
  /** The calls of a time, by tool, source and principal. */
  usage(period?: { since?: Date; until?: Date }): Promise<CallGroup[]>;
  /**
   * Deletes what happened before, and of what is left the oldest beyond `max`; but nothing from the id `keepFrom` on.
   * Says how many that were.
   */
  prune(before: Date, limits?: { max?: number; keepFrom?: number }): Promise<number>;
  count(): Promise<number>;
  /** The first and the last id, and when the first happened; cheap, unlike a count. Undefined where there is none. */
  span(): Promise<{ first: number; last: number; since: Date } | undefined>;
}

export interface EventFilter {
  trace?: string;
  /** `tool.call_failed`, or a prefix: `tool.*`. */
  type?: string;
  status?: EventStatus;
  /** The server, module or other source it is about. */
  source?: string;
  /** A tool as it is exposed. */
  tool?: string;
  /** Who did it. */
  principal?: string;
  /** Only of these calls, whatever else is asked for. */
  own?: OwnCalls;
  /** Only those that say who changed what. */
  audit?: boolean;
  since?: Date;
  /** Exclusive. */
  until?: Date;
  /** Occurs in the type or in a value of the data, whatever the case of ASCII letters. */
  text?: string;
}

export interface EventQuery extends EventFilter {
  /** 100 unless told, at most 1000. */
  limit?: number;
  /** From the page before, with the same filters and order. */
  cursor?: string;
  /** In the order of recording; `desc`, the newest first, unless told. */
  order?: 'asc' | 'desc';
}

export interface FollowedEvents {
  events: StoredEvent[];
  /** Everything up to this id was looked at: where to go on. */
  position: number;
}

/** The calls of one principal to one tool. */
export interface CallGroup {
  tool: string;
  source: string;
  principal: string;
  calls: number;
  failed: number;
  /** How often each reason of a failure was given. */
  reasons: Record<string, number>;
  /** How many calls took how long, by the number of the latency class. */
  latencies: Record<number, number>;
}

export interface EventPage {
  events: StoredEvent[];
  /** There is more. */
  cursor?: string;
}

export type StoredEvent = RecordedEvent & { id: number };

/** API keys, without their secrets. */
export interface Keys {
  add(key: StoredKey): Promise<void>;
  /** In the order of their making, revoked ones too. */
  list(): Promise<StoredKey[]>;
  /** Whether there was one that was not revoked yet. It stays in the list. */
  revoke(id: string, at: string): Promise<boolean>;
}

export interface StoredKey {
  readonly id: string;
  /** SHA-256 of the secret. */
  readonly hash: Buffer;
  readonly grant: KeyGrant;
  readonly revokedAt?: string;
}

/** What a key is, and what it allows. */
export interface KeyGrant {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly tools?: readonly string[];
  readonly readOnly?: boolean;
  readonly confirm?: 'never' | 'destructive' | 'writes';
  /** Such as 60/min. */
  readonly rate?: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt?: string;
}

/** What the built-in authorization server remembers: clients, grants, tokens, logins. Expired ones are gone. */
export interface OAuthRecords {
  find(kind: string, id: string): Promise<OAuthRecord | undefined>;
  findByUid(kind: string, uid: string): Promise<OAuthRecord | undefined>;
  put(kind: string, id: string, record: OAuthRecord & { uid?: string; grant?: string }): Promise<void>;
  /** Marks it as used; false if it was used before, or is not there: of two at once only one succeeds. */
  consume(kind: string, id: string, at: number): Promise<boolean>;
  /** Moves an expiry further away, never nearer; what never expires stays so. */
  extend(kind: string, id: string, until: number): Promise<void>;
  delete(kind: string, id: string): Promise<void>;
  /** All that was put with this grant. */
  deleteGrant(grant: string): Promise<void>;
  /** How many there were. */
  deleteKind(kind: string): Promise<number>;
  /** The one of a kind that would expire next. */
  deleteNext(kind: string): Promise<void>;
  count(kind: string): Promise<number>;
}

/** Times are milliseconds since 1970. */
export interface OAuthRecord {
  readonly payload: string;
  readonly expires?: number;
  readonly consumed?: number;
}

/** An event as it lies in the store: its data is still text, since it is only passed on. */
export interface OutboxEvent {
  id: number;
  at: number;
  trace_id: string;
  event_type: string;
  status: string;
  data: string;
}

/** Events a webhook does not get, because too many were waiting. Without `to` it is still so. */
export interface Gap {
  /** The last one that it gets. */
  from: number;
  to?: number;
}

export interface OutboxPlace {
  webhook: string;
  /** All events up to this id were delivered, not wanted, or set aside. */
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
  /** Somebody asked for another attempt. */
  again: boolean;
}

/** Whoever delivers: one life of a process. */
export interface Holder {
  id: string;
  pid: number;
}

/** What is still to be delivered to each webhook: the events themselves, and how far it has come. */
export interface Outbox {
  /** A new webhook begins behind the last event. */
  open(webhook: string): Promise<OutboxPlace>;
  list(): Promise<OutboxPlace[]>;
  /** Takes or keeps the right to deliver, for so long. False: another living process has it. */
  hold(webhook: string, holder: Holder, ms: number, isAlive: (pid: number) => boolean): Promise<boolean>;
  release(webhook: string, holder: Holder): Promise<void>;
  /** In the order of recording. */
  after(id: number, limit: number): Promise<OutboxEvent[]>;
  lastId(): Promise<number>;
  /** When the first event behind this id happened. */
  oldest(after: number): Promise<Date | undefined>;
  delivered(webhook: string, upTo: number, count: number): Promise<void>;
  failed(webhook: string, reason: string): Promise<void>;
  /** Puts a copy where `dead` finds it, and goes on behind it. */
  setAside(webhook: string, event: OutboxEvent, reason: string, tries: number): Promise<void>;
  stopAfter(webhook: string, id: number): Promise<void>;
  /** What is recorded from now on is delivered again. */
  goOn(webhook: string): Promise<void>;
  skip(webhook: string, gap: Required<Gap>): Promise<void>;
  dead(wanted?: { webhook?: string; again?: boolean; limit?: number }): Promise<DeadEvent[]>;
  /** How many will be tried again. Without `id`, all. */
  retry(wanted?: { webhook?: string; id?: number }): Promise<number>;
  discard(wanted?: { webhook?: string; id?: number }): Promise<number>;
  /** Drops the oldest beyond `most`, and those set aside before. Says how many that were. */
  trimDead(webhook: string, most: number, before: Date): Promise<number>;
  refusedAgain(webhook: string, id: number, reason: string): Promise<void>;
  /**
   * The first event that some webhook still needs: it and all later ones must not be deleted. Those that are
   * configured count, and those that were not long ago.
   */
  keepFrom(configured?: readonly string[]): Promise<number | undefined>;
}

/** How far a watched file was read. */
export interface TailPlace {
  /** Which file it was: device and inode. */
  file: string;
  offset: number;
  /** Length and hash of its first bytes: an inode can be given to another file. */
  head: string;
  /** In the middle of a line that is too long. */
  skipping: boolean;
  bad: number;
  tooLong: number;
}

export interface Tails {
  get(path: string): Promise<TailPlace | undefined>;
  /** Stores the events and the place behind them, both or neither. False: `from` is no longer the place. */
  commit(path: string, from: TailPlace | undefined, to: TailPlace, events: readonly RecordedEvent[]): Promise<boolean>;
}

/** Logins at servers behind the gateway: who is signed in where, and as which client. What is secret is sealed. */
export interface Logins {
  /** The newest first. `principal` is empty where one login serves everybody. */
  find(resource: string, principal: string): Promise<StoredLogin[]>;
  /** Replaces the one of the same resource, principal and issuer. */
  put(resource: string, principal: string, issuer: string, sealed: Buffer): Promise<void>;
  /** How many there were. */
  delete(resource: string, principal: string): Promise<number>;
  /** The client that was registered with an issuer for a redirect URI. */
  client(issuer: string, redirect: string): Promise<Buffer | undefined>;
  putClient(issuer: string, redirect: string, sealed: Buffer): Promise<void>;
  /** Without `redirect`, all of the issuer's. */
  deleteClient(issuer: string, redirect?: string): Promise<void>;
}

export interface StoredLogin {
  readonly issuer: string;
  readonly sealed: Buffer;
  /** Grows: the newest has the highest. */
  readonly revision: number;
}

/** Whose task is whose, also after a restart. Expired ones are gone. */
export interface TaskOwners {
  /** Replaces the one of the same id. Of its principal the newest `most` are kept. */
  put(task: OwnedTask, most: number): Promise<void>;
  get(id: string): Promise<OwnedTask | undefined>;
  /** All that a server calls by one of these names. */
  at(server: string, own: readonly string[]): Promise<OwnedTask[]>;
}

export interface OwnedTask {
  /** As clients know it. */
  readonly id: string;
  readonly server: string;
  /** As its server calls it. */
  readonly own: string;
  readonly principal: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}
