/** Sign-in gives everybody the scopes they ask for: as many views are possible as there are sets of them. */
const MOST = 200;

/** Keeps something in a cache, and gives up the oldest where it is full. */
export function keep<T>(cache: Map<string, T>, key: string, value: T): void {
  if (cache.size >= MOST) cache.delete(cache.keys().next().value as string);
  cache.set(key, value);
}
