/** Works on several items at a time, in their order. Starts no more after the first failure, and throws it at the end. */
export async function several<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const item of rest) {
      if (failures.length > 0) return;
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}
