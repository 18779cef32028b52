/** A limit is needed: sign-in grants any set of scopes, and each set is another view. */
const MOST = 200;

/** Adds to a cache; drops the oldest entry if the cache is full. */
export function keep<T>(cache: Map<string, T>, key: string, value: T): void {
  if (cache.size >= MOST) cache.delete(cache.keys().next().value as string);
  cache.set(key, value);
}
