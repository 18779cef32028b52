const MOST_BYTES = 256 * 1024;

/**
 * Reads up to `limit` items in growing steps, and stops when they are more than a reply could show. A single item may
 * have 50 MB, and Redis does not say so before it sends it.
 */
export async function stepwise<T>(
  limit: number,
  read: (done: readonly T[], count: number) => Promise<readonly T[]>,
  bytesOf: (item: T) => number,
): Promise<{ readonly items: readonly T[]; readonly isEnd: boolean }> {
  const items: T[] = [];
  let size = 0;
  for (let count = 1; items.length < limit && size <= MOST_BYTES; count *= 2) {
    const wanted = Math.min(count, limit - items.length);
    const got = await read(items, wanted);
    items.push(...got);
    for (const item of got) size += bytesOf(item);
    if (got.length < wanted) return { items, isEnd: true };
  }
  return { items, isEnd: false };
}
