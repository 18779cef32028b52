/**
 * The port to the engine of durable runs. The engine leases work to one process at a time, hands the work of a dead process
 * to another, repeats no step that has ended, and starts work at a time. It is given names only: every value of a run is
 * sealed in the store.
 */
export interface Engine extends AsyncDisposable {
  /** Has a part of a run carried out, now or at a time. Returns the engine's own id of it. */
  start(ticket: Ticket, at?: number): Promise<string>;
  /** Whether it will still be carried out, or is at the moment. */
  isOpen(id: string): Promise<boolean>;
  /** Begins nothing more. */
  rest(): void;
  /** Forgets what ended before this time. */
  prune(before: number): Promise<void>;
}

/**
 * A part of a run: from its start, or from where it waited, to its end or to where it waits again. A ticket of an earlier
 * part is void, so a timer that was overtaken by a decision does nothing.
 */
export interface Ticket {
  readonly run: string;
  readonly part: number;
}

/** Carries out the parts. */
export interface Carrier {
  /**
   * `once` remembers that work has ended: after a crash it is not begun again. What it returns is kept in clear. Errors mean
   * that it could not be told how the work ended; the engine then tries again later.
   */
  carry(ticket: Ticket, once: Once): Promise<void>;
}

export type Once = <T extends string>(name: string, work: () => Promise<T>) => Promise<T>;
