const MINUTE = 60_000;
const MAX_KEYS = 1000;

export interface Repeats {
  /**
   * Undefined if this line was written often enough in this minute. Otherwise the number of lines skipped since the
   * last one.
   */
  pass(key: string): number | undefined;
}

/** Limits repeated lines to `most` per minute and key. */
export function createRepeats({ most, now }: { most: number; now?: () => number }): Repeats {
  // Not the time of day: if the clock is set back, everything would be silent until then.
  const clock = now ?? (() => performance.now());
  const seen = new Map<string, { until: number; said: number; passedOver: number }>();

  // Keys may contain client addresses, so bound the memory: forget the oldest.
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
