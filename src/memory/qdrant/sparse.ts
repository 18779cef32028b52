export interface Sparse {
  readonly indices: number[];
  readonly values: number[];
}

/** As in BM25: how soon more of the same term counts less, and how much a long passage counts less. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** Passages have about as many terms. */
const USUAL_LENGTH = 30;

/**
 * The terms of a passage as a sparse vector. The weights are those of BM25 without the rarity of the terms, which Qdrant
 * multiplies in (modifier idf) because it changes with every passage. Undefined if there are none.
 */
export function sparseOf(terms: readonly string[]): Sparse | undefined {
  const counts = new Map<number, number>();
  let length = 0;
  for (const term of terms) {
    if (term === '') continue;
    length++;
    const index = indexOf(term);
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  if (length === 0) return undefined;
  const slack = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / USUAL_LENGTH);
  return {
    indices: [...counts.keys()],
    values: [...counts.values()].map((count) => rounded((count * (SATURATION + 1)) / (count + slack))),
  };
}

/** A question asks for each term once. */
export function askedFor(terms: readonly string[]): Sparse | undefined {
  const indices = [...new Set(terms.filter((term) => term !== '').map(indexOf))];
  return indices.length === 0 ? undefined : { indices, values: indices.map(() => 1) };
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/**
 * 32 bits of a term (FNV-1a, then mixed). Of 100,000 terms, one pair shares its number. It is stored: a change of it
 * would need a new version of the collections.
 */
function indexOf(term: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(term)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
