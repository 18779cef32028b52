/**
 * Does a few at a time, and gives the results in order. When one fails no more are begun; those that were are waited for,
 * so that nothing goes on behind the back of whoever hears of it.
 */
export async function abreast<T, R>(items: readonly T[], most: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  let next = 0;
  async function lane(): Promise<void> {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T);
      } catch (error) {
        failures.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
