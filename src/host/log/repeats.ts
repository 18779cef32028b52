const MINUTE = 60_000;
const MAX_KEYS = 1000;

export interface Repeats {
  /**
   * Undefined when this has been said often enough in this minute; else how many were passed over since it was said
   * last.
   */
  pass(key: string): number | undefined;
}

/** Keeps the same line from being written again and again: `most` times a minute for each key. */
export function createRepeats({ most, now }: { most: number; now?: () => number }): Repeats {
  // Not the time of day, which may be set back and silence everything until then.
  const clock = now ?? (() => performance.now());
  const seen = new Map<string, { until: number; said: number; passedOver: number }>();

  // Whoever comes from ever new addresses must not fill the memory: what was said longest ago is forgotten first.
  function remember(key: string, until: number) {
    const fresh = { until, said: 0, passedOver: 0 };
    seen.delete(key);
    seen.set(key, fresh);
    if (seen.size > MAX_KEYS) seen.delete(seen.keys().next().value as string);
    return fresh;
  }

  return {
    pass(key) {
      const time = clock();
      const known = seen.get(key);
      const entry = known && known.until > time ? known : remember(key, time + MINUTE);
      if (entry.said >= most) {
        entry.passedOver++;
        return undefined;
      }
      entry.said++;
      return entry === known ? 0 : (known?.passedOver ?? 0);
    },
  };
}
