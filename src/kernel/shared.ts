import type { Rate } from './rate.ts';

/**
 * What all replicas of the gateway agree on. In one process most of it is synchronous; with replicas it asks the store, or
 * Redis.
 */
export interface Shared {
  /** The replicas; undefined if this process is the only one. */
  readonly peers: Peers | undefined;
  /** Counts `times` uses (default 1), or returns the seconds until there is room. */
  count(key: string, rate: Rate, times?: number): number | undefined | Promise<number | undefined>;
  /** Keeps a value for `ms`. Of one group the newest `MOST_KEPT` stay. */
  keep(key: string, value: string, ms: number, group: string): void | Promise<void>;
  /** The value, which is gone afterwards: of two concurrent calls, on any replica, only one gets it. */
  take(key: string): string | undefined | Promise<string | undefined>;
  /**
   * Runs work in one process at a time. `signal` is aborted when the right to it is lost. If it throws, it runs again after
   * a pause; if it ends, it does not run here again, and another process may have its turn. Disposing waits for its end.
   */
  lead(task: string, work: (signal: AbortSignal) => Promise<void>): AsyncDisposable;
  /** Says that something with this name changed. */
  tell(topic: Topic): void;
  /** Called after somebody told, on every replica and at most a second or two later; sometimes without a reason. */
  hear(topic: Topic, listener: () => void): Disposable;
  /** Since when the store cannot be reached; undefined while it can. On a monotonic clock, in milliseconds. */
  cutOffSince(): number | undefined;
}

/** What a listener reads again. The store tells these itself, in the transaction that changes them; `events` is only a hint. */
export type Topic =
  | 'keys'
  | 'servers'
  | 'catalogues'
  | 'definitions'
  | 'logins'
  | 'oauth'
  | 'events'
  | 'replicas'
  | 'memory'
  | 'blueprints'
  | 'revealed';

/** How many values of one group are kept: a caller that never comes back must not push out those of others. */
export const MOST_KEPT = 1000;

/** The processes that share one store. */
export interface Peers {
  /** The name of this process: new at each start, letters and digits. Session ids begin with it. */
  readonly self: string;
  /** Every replica that was alive a moment ago, this one first. */
  all(): readonly Replica[];
  /** A replica by its name, from the store if it is not known yet. Undefined if it is dead. */
  find(id: string): Promise<Replica | undefined>;
  /** Says where other replicas reach this one, and how it is doing; `report` is read with each heartbeat. */
  announce(url: string | undefined, report: () => ReplicaReport): void;
  /** Looks at once whether the store is there, because another replica has it. */
  lookAgain(): void;
  /** Tells the others that this replica is about to stop, and hands over what it leads. */
  drain(): Promise<void>;
  /** Signs what this replica sends to another one; the key is in the store. */
  sign(text: string): string;
  isSigned(text: string, signature: string): boolean;
}

export interface Replica {
  readonly id: string;
  /** Where other replicas reach it. */
  readonly url?: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: string;
  /** How long ago it was last heard of, on the clock of the database. */
  readonly seenMs: number;
  /** How far its clock is from the clock of the database. */
  readonly skewMs: number;
  readonly draining: boolean;
  /** The background work that it leads. */
  readonly leads: readonly string[];
  readonly report: ReplicaReport;
}

export interface ReplicaReport {
  readonly state: 'ok' | 'degraded' | 'failed' | 'starting';
  readonly problems: readonly string[];
  readonly sessions: number;
  readonly tools: number;
}
