export interface Counts {
  readonly inserted: number;
  readonly updated: number;
  /** Rows that already had these values. */
  readonly unchanged: number;
  /** Rows that matched nothing, when only updating. */
  readonly missing: number;
}

export const none: Counts = { inserted: 0, updated: 0, unchanged: 0, missing: 0 };

/** Counts what was written, and how many of the given rows are done. */
export interface Tally {
  add(more: Partial<Counts>): void;
  /** So many of the given rows, in their order, need nothing more. */
  finish(rows: number): void;
  counts(): Counts;
  done(): number;
}

export function createTally(onFinished: (done: number) => void = () => {}): Tally {
  let counts = none;
  let done = 0;
  return {
    add(more) {
      counts = {
        inserted: counts.inserted + (more.inserted ?? 0),
        updated: counts.updated + (more.updated ?? 0),
        unchanged: counts.unchanged + (more.unchanged ?? 0),
        missing: counts.missing + (more.missing ?? 0),
      };
    },
    finish(rows) {
      done += rows;
      onFinished(done);
    },
    counts: () => counts,
    done: () => done,
  };
}
