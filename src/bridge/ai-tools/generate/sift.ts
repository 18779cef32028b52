/** Whether a set of tools works together; if not, why, and which are at fault if that is known. */
export type Verdict<T> =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly culprits?: readonly T[] };

export interface Sifted<T> {
  readonly good: readonly T[];
  readonly bad: readonly { readonly item: T; readonly reason: string }[];
}

/** After this many attempts, everything untested counts as bad. Each of those still gets its own endpoint. */
const MOST_TRIES = 40;

/**
 * Finds the items that break a set, by bisection. `known` worked together before. The last attempt is always with exactly
 * the good items, because an attempt changes n8n.
 */
export async function sift<T>(
  known: readonly T[],
  suspects: readonly T[],
  attempt: (items: readonly T[]) => Promise<Verdict<T>>,
): Promise<Sifted<T>> {
  const bad: { item: T; reason: string }[] = [];
  let tries = 0;
  let last: readonly T[] | undefined;
  const together = async (items: readonly T[]): Promise<Verdict<T>> => {
    if (items.length === 0) return { ok: true };
    tries++;
    last = items;
    return attempt(items);
  };

  async function among(base: readonly T[], doubtful: readonly T[]): Promise<readonly T[]> {
    if (doubtful.length === 0) return base;
    const verdict = await together([...base, ...doubtful]);
    if (verdict.ok) return [...base, ...doubtful];
    const culprits = doubtful.filter((item) => verdict.culprits?.includes(item));
    const blamed = doubtful.length === 1 || tries >= MOST_TRIES ? doubtful : culprits;
    if (blamed.length > 0) {
      for (const item of blamed) bad.push({ item, reason: verdict.reason });
      return among(
        base,
        doubtful.filter((item) => !blamed.includes(item)),
      );
    }
    const half = Math.ceil(doubtful.length / 2);
    return among(await among(base, doubtful.slice(0, half)), doubtful.slice(half));
  }

  let good = await among(known, suspects);
  // No suspect is left. If the known items fail too, one of them has broken since.
  if (known.length > 0 && good.length === known.length && good.every((item) => known.includes(item))) {
    const still = last !== undefined && same(last, good) ? undefined : await together(good);
    if (still && !still.ok) good = await among([], known);
  }
  if (good.length > 0 && (last === undefined || !same(last, good))) await together(good);
  return { good, bad };
}

const same = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((item) => other.includes(item));
