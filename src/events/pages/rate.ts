const SPAN_MS = 5000;
const SLICE_MS = 500;

/** Counts how many a second, over the last few seconds. */
export function createRate(now: () => number = () => performance.now()): {
  add(count: number): void;
  perSecond(): number;
} {
  const begun = now();
  let slices: { at: number; count: number }[] = [];
  const forget = () => (slices = slices.filter(({ at }) => at > now() - SPAN_MS));
  return {
    add(count) {
      if (count === 0) return;
      forget();
      const last = slices.at(-1);
      if (last && now() - last.at < SLICE_MS) last.count += count;
      else slices.push({ at: now(), count });
    },
    perSecond() {
      forget();
      const span = Math.max(1000, Math.min(SPAN_MS, now() - begun));
      return slices.reduce((sum, { count }) => sum + count, 0) / (span / 1000);
    },
  };
}
