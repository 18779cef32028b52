import type { Step } from '../definition/shape.ts';

const LONGEST_BACKOFF_MS = 3_600_000;

/** The pause after an attempt that failed. */
export const pauseAfter = ({ retry }: Step, attempt: number): number =>
  Math.min(LONGEST_BACKOFF_MS, (retry?.backoffMs ?? 0) * 2 ** (attempt - 1));
