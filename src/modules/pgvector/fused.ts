/** Damps the first places, as is usual for this way of fusing. */
const DAMPING = 60;

export interface Fused<T> {
  readonly item: T;
  readonly by: 'meaning' | 'words' | 'both';
}

/** Two rankings as one, by the places that an item has in each (reciprocal rank fusion). */
export function fused<T>(byMeaning: readonly T[], byWords: readonly T[], keyOf: (item: T) => string): Fused<T>[] {
  const points = new Map<string, Fused<T> & { readonly sum: number }>();
  for (const [ranking, by] of [
    [byMeaning, 'meaning'],
    [byWords, 'words'],
  ] as const)
    for (const [place, item] of ranking.entries()) {
      const key = keyOf(item);
      const before = points.get(key);
      const sum = (before?.sum ?? 0) + 1 / (DAMPING + place + 1);
      points.set(key, { item, by: before && before.by !== by ? 'both' : by, sum });
    }
  return [...points.values()].sort((one, other) => other.sum - one.sum).map(({ item, by }) => ({ item, by }));
}
