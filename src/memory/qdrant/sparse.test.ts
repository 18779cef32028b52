import { describe, expect, test } from 'vitest';
import { askedFor, sparseOf } from './sparse.ts';

describe('terms as a sparse vector', () => {
  test('a term has the same number in every process', () => {
    // Stored in Qdrant: if these change, nothing that was stored before is found by words.
    expect(askedFor(['tea', 'größe', '日本'])?.indices).toEqual([3908727473, 3449927484, 4026831135]);
  });

  test('each term is there once, and counts less the more often it occurs', () => {
    const once = sparseOf(['tea', 'cup']);
    const often = sparseOf(['tea', 'tea', 'tea', 'cup']);
    expect(often?.indices).toEqual(once?.indices);
    const [tea = 0, cup = 0] = often?.values ?? [];
    expect(tea).toBeGreaterThan(cup);
    expect(tea).toBeLessThan(3 * cup);
  });

  test('counts less in a long passage', () => {
    const long = sparseOf(['tea', ...Array.from({ length: 50 }, (_, n) => `w${n}`)]);
    expect(long?.values[0]).toBeLessThan(sparseOf(['tea'])?.values[0] ?? 0);
  });

  test('of no terms there is none', () => {
    expect(sparseOf([''])).toBeUndefined();
    expect(sparseOf([])).toBeUndefined();
    expect(askedFor(['', ''])).toBeUndefined();
  });

  test('numbers are 32 bits, and hardly ever the same', () => {
    const { indices = [] } = askedFor(Array.from({ length: 20_000 }, (_, n) => `term${n}`)) ?? {};
    expect(indices.length).toBeGreaterThan(19_997);
    for (const index of indices)
      if (!Number.isInteger(index) || index < 0 || index > 0xffffffff) expect(index).toBe('32 bits');
  });
});
