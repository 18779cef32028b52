const KEPT = 256;

/** The durations of the last calls of a backend, for p50 and p95. */
export function createLatencies() {
  const kept = new Float64Array(KEPT);
  let count = 0;
  return {
    add(ms: number): void {
      kept[count++ % KEPT] = ms;
    },
    /** The last ones, oldest first. */
    latest(most: number): number[] {
      const length = Math.min(count, KEPT, most);
      return Array.from({ length }, (_, index) => kept[(count - length + index) % KEPT] as number);
    },
    summary(): { calls: number; p50Ms?: number; p95Ms?: number } {
      if (count === 0) return { calls: 0 };
      const sorted = kept.slice(0, Math.min(count, KEPT)).sort();
      const at = (share: number) =>
        Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number) * 100) / 100;
      return { calls: count, p50Ms: at(0.5), p95Ms: at(0.95) };
    },
  };
}
