import { late } from '../kernel/late.ts';
import type { Principal } from '../kernel/principal.ts';

/** Something that waits until a person decides or does something. */
export interface Waiting {
  /** Tells it from the others of its part. */
  readonly id: string;
  readonly kind: 'confirmation' | 'approval' | 'definition' | 'sign-in';
  /** What is asked, in a few words. */
  readonly title: string;
  readonly detail?: string;
  /** Who asks. */
  readonly by?: string;
  /** More to look at before one decides, without secrets. */
  readonly data?: unknown;
  /** ISO time. */
  readonly since?: string;
  readonly expires?: string;
  /** Where one sees more: a path below `console/`. */
  readonly page?: string;
  /** Where one does it instead: the address of a sign-in. */
  readonly link?: string;
  /** Whether this caller may approve or refuse it here. */
  readonly decides: boolean;
  /** Whether this caller may at least refuse it. */
  readonly refuses?: boolean;
  /** Why this caller may not decide, or not approve. */
  readonly why?: string;
}

export interface Decision {
  readonly approve: boolean;
  readonly note?: string;
}

/**
 * Whether a person asks, and not a program with a key: somebody who is signed in to the console; in person, if with a
 * password or at another authorization server, or while authentication is off. Undefined if it may be a program.
 */
export type Person = 'somebody' | 'in person' | undefined;

/** What waits for people in one part. */
export interface WaitingRoom {
  /** What this caller may know about. */
  list(principal: Principal, person: Person): Promise<readonly Waiting[]>;
  /** Decides as this caller. Returns what came of it, in a sentence; throws if it may not, or if nothing waits any more. */
  decide?(id: string, decision: Decision, principal: Principal, person: Person): Promise<string>;
}

/** A room that is loaded when somebody first looks. */
export function lateWaiting(load: () => Promise<WaitingRoom>): WaitingRoom {
  const room = late(load);
  return {
    list: async (...asked) => (await room()).list(...asked),
    decide: async (...decided) => (await room()).decide?.(...decided) ?? '',
  };
}
