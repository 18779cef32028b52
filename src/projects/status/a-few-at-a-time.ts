/** Does the work for every item, at most `most` at a time. The results are in the order of the items. */
export async function aFewAtATime<T, R>(
  most: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  async function worker(): Promise<void> {
    for (const [at, item] of left) results[at] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
