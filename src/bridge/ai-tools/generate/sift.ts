/** How a set of tools did together: all well, or not, and maybe whose fault that is. */
export type Verdict<T> =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly culprits?: readonly T[] };

export interface Sifted<T> {
  readonly good: readonly T[];
  readonly bad: readonly { readonly item: T; readonly reason: string }[];
}

/** So many tries; what is not known to be good by then counts as bad, since it can still be tried by itself. */
const MOST_TRIES = 40;

/**
 * Finds those that break it for all others. `known` were well together before. The last try that is made is of the good
 * ones, so that what was tried is what stays.
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
  // Nobody new is left and yet it does not work: then one that was good before is not any more.
  if (known.length > 0 && good.length === known.length && good.every((item) => known.includes(item))) {
    const still = last !== undefined && same(last, good) ? undefined : await together(good);
    if (still && !still.ok) good = await among([], known);
  }
  if (good.length > 0 && (last === undefined || !same(last, good))) await together(good);
  return { good, bad };
}

const same = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((item) => other.includes(item));
