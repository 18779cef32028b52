/** A least-recently-used cache with a limit in bytes. */
export interface BoundedCache<Key, Value> {
  get(key: Key, make: () => { value: Value; bytes: number } | undefined): Value | undefined;
}

export function boundedCache<Key, Value>(most: number): BoundedCache<Key, Value> {
  // A Map keeps insertion order, so the first key is the least recently used.
  const kept = new Map<Key, { value: Value; bytes: number }>();
  let bytes = 0;
  return {
    get(key, make) {
      const found = kept.get(key);
      if (found) {
        kept.delete(key);
        kept.set(key, found);
        return found.value;
      }
      const made = make();
      if (!made) return undefined;
      kept.set(key, made);
      bytes += made.bytes;
      for (const [oldest, { bytes: freed }] of kept) {
        if (bytes <= most || oldest === key) break;
        kept.delete(oldest);
        bytes -= freed;
      }
      return made.value;
    },
  };
}
