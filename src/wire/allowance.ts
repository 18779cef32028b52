import { unreadBytes } from './unread.ts';

/** How much each caller may have open at the same time. */
export interface OpenLimits {
  /** Sessions of the 2025 eras. */
  readonly sessions: number;
  /** Long-lived streams: of sessions, subscriptions and the legacy transport. */
  readonly streams: number;
  /** Requests being read or answered. */
  readonly requests: number;
}

export const defaultLimits: OpenLimits = { sessions: 1000, streams: 1000, requests: 1000 };

/** Reports what was refused or cut. */
export type LimitReached = (fact: { limit: string; principal: string }) => void;

/** Limit for the messages of one batch. `limits.requests` may be lower. */
export const MOST_IN_BATCH = 1000;
/** Limit for the bodies of one caller's requests in progress. */
const MOST_BODY_BYTES = 256 * 1024 * 1024;
/** Limit for what the sessions of one caller keep for clients that lost a stream. */
const MOST_KEPT_BYTES = 64 * 1024 * 1024;
/** Above this number, forget callers that have nothing open. */
const MANY_CALLERS = 1000;

/** Something that can give up its kept events. */
interface Keeper {
  forgetKept(): void;
}

/** What the allowance needs to know about a session. */
interface Session {
  readonly lastSeen: number;
  isIdle(): boolean;
  end(): void;
}

/** A response or a socket. */
export interface Closing {
  once(event: 'close', listener: () => void): unknown;
}

/** What one caller has open. */
export class Allowance {
  requests = 0;
  streams = 0;
  bodyBytes = 0;
  readonly unread;
  readonly #sessions = new Set<Session>();
  readonly #keepers = new Set<Keeper>();
  #keptBytes = 0;
  readonly #reached: (limit: string) => void;

  constructor(reached: (limit: string) => void, patienceMs?: number) {
    this.#reached = reached;
    this.unread = unreadBytes(() => reached('unread stream'), patienceMs);
  }

  get isIdle(): boolean {
    return this.requests + this.streams + this.#sessions.size === 0 && this.unread.bytes() === 0;
  }

  refused(limit: string): void {
    this.#reached(limit);
  }

  addSession(session: Session): void {
    this.#sessions.add(session);
  }

  removeSession(session: Session): void {
    this.#sessions.delete(session);
  }

  /**
   * Makes room for another session. Some clients open one each time and never end it: end idle ones. False if all are in
   * use.
   */
  makeRoom(most: number): boolean {
    while (this.#sessions.size >= most) {
      const idle = this.#longestIdle();
      if (!idle) return false;
      idle.end();
    }
    return true;
  }

  #longestIdle(): Session | undefined {
    let found: Session | undefined;
    for (const session of this.#sessions)
      if ((!found || session.lastSeen < found.lastSeen) && session.isIdle()) found = session;
    return found;
  }

  /**
   * Counts what a session keeps for its client. The session that added nothing for longest gives up its events first.
   */
  keeps(keeper: Keeper, bytes: number): void {
    this.#keptBytes += bytes;
    if (bytes <= 0) return;
    this.#keepers.delete(keeper);
    this.#keepers.add(keeper);
    for (const oldest of this.#keepers) {
      if (this.#keptBytes <= MOST_KEPT_BYTES || oldest === keeper) return;
      this.#keepers.delete(oldest);
      oldest.forgetKept();
    }
  }

  keepsNoMore(keeper: Keeper): void {
    this.#keepers.delete(keeper);
  }

  keptBytes(): number {
    return this.#keptBytes;
  }

  /** Counts a stream until it closes; false if there are too many. */
  openStream(stream: Closing, most: number): boolean {
    if (this.streams >= most) return false;
    this.streams++;
    stream.once('close', () => this.streams--);
    return true;
  }

  /** Counts a request and the size of its body; false if that is too much. Each success needs a `release`. */
  take(bytes: number, most: number): boolean {
    if (this.requests >= most || !this.takeMore(bytes)) return false;
    this.requests++;
    return true;
  }

  /** Why `take` refused, worded for the caller. */
  takenText(most: number): string {
    return `${this.requests} of your requests (limit ${most}), with ${this.bodyBytes} bytes, are in progress. Wait for some of them, or raise limits.requests.`;
  }

  /** Counts bytes of a body without a content-length. */
  takeMore(bytes: number): boolean {
    if (this.bodyBytes + bytes > MOST_BODY_BYTES) return false;
    this.bodyBytes += bytes;
    return true;
  }

  /** Ends what `takeMore` counted. */
  giveBack(bytes: number): void {
    this.bodyBytes -= bytes;
  }

  release(bytes: number): void {
    this.requests--;
    this.bodyBytes -= bytes;
  }
}

/** What each caller has open, across all paths. */
export function createAllowances(
  options: { limits?: () => OpenLimits; reached?: LimitReached | undefined; patienceMs?: number } = {},
) {
  const { limits = () => defaultLimits, reached, patienceMs } = options;
  const byPrincipal = new Map<string, Allowance>();

  /** Checks only the first few, so that the cost of a new caller does not depend on how many there are. */
  function tidy(): void {
    if (byPrincipal.size < MANY_CALLERS) return;
    let looks = 4;
    for (const [id, allowance] of byPrincipal) {
      if (looks-- === 0) return;
      byPrincipal.delete(id);
      if (!allowance.isIdle) byPrincipal.set(id, allowance);
    }
  }

  return {
    limits,
    of(principal: string): Allowance {
      let known = byPrincipal.get(principal);
      if (!known) {
        tidy();
        known = new Allowance((limit) => reached?.({ limit, principal }), patienceMs);
        byPrincipal.set(principal, known);
      }
      return known;
    },
    callers: () => byPrincipal.size,
  };
}

export type Allowances = ReturnType<typeof createAllowances>;
