import type { Age } from '../engine.ts';

const DAY_MS = 24 * 60 * 60_000;
/** The most that age takes off a score. Enough to decide between two that fit alike, too little to hide the one that fits. */
const MOST = 0.06;

/** What age takes off the score of a memory: nothing if it is pinned, half of the most after a half-life. */
export function ageing(
  memory: Age | undefined,
  { halfLifeDays, now }: { readonly halfLifeDays: number; readonly now: number },
): number {
  if (!memory || memory.pinned || halfLifeDays <= 0) return 0;
  const seen = Math.max(memory.recordedAt, memory.recalledAt ?? 0);
  const days = Math.max(0, now - seen) / DAY_MS;
  // What was recalled often is forgotten more slowly.
  const halfLife = halfLifeDays * (1 + Math.log2(1 + memory.recalls));
  return MOST * (1 - 2 ** (-days / halfLife));
}
