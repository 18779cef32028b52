import { describe, expect, it } from 'vitest';
import { sift, type Verdict } from './sift.ts';

/** A set works unless it contains a broken item, or two items with the same last letter. */
function world(broken: readonly string[], tells = false) {
  const tried: string[][] = [];
  return {
    tried,
    attempt: async (items: readonly string[]): Promise<Verdict<string>> => {
      tried.push([...items]);
      const culprits = items.filter((item) => broken.includes(item));
      const ends = items.map((item) => item.at(-1));
      const clash = new Set(ends).size < ends.length;
      if (culprits.length === 0 && !clash) return { ok: true };
      return { ok: false, reason: 'no', ...(tells && culprits.length > 0 && { culprits }) };
    },
  };
}

const letters = 'abcdefghijklmnop'.split('');

describe('sifting', () => {
  it('needs one attempt if everything works', async () => {
    const { tried, attempt } = world([]);
    expect(await sift([], letters, attempt)).toEqual({ good: letters, bad: [] });
    expect(tried).toHaveLength(1);
  });

  it('finds broken items by bisection, and ends with the good ones', async () => {
    const { tried, attempt } = world(['c', 'n']);
    const { good, bad } = await sift([], letters, attempt);
    expect(bad.map(({ item }) => item).sort()).toEqual(['c', 'n']);
    expect(tried.at(-1)?.toSorted()).toEqual(good.toSorted());
    expect(tried.length).toBeLessThan(20);
  });

  it('needs two attempts if the culprits are named', async () => {
    const { tried, attempt } = world(['c', 'n'], true);
    const { bad } = await sift([], letters, attempt);
    expect(bad.map(({ item }) => item)).toEqual(['c', 'n']);
    expect(tried).toHaveLength(2);
  });

  it('rejects the second of two that conflict', async () => {
    const { attempt } = world([]);
    expect(await sift(['xa'], ['b', 'ya', 'c'], attempt)).toMatchObject({
      good: ['xa', 'b', 'c'],
      bad: [{ item: 'ya' }],
    });
  });

  it('does not blame items that worked before', async () => {
    const { tried, attempt } = world(['z']);
    expect(await sift(letters, ['z'], attempt)).toEqual({ good: letters, bad: [{ item: 'z', reason: 'no' }] });
    expect(tried.at(-1)).toEqual(letters);
  });

  it('finds an item that worked before and broke since', async () => {
    const { attempt } = world(['c']);
    expect((await sift(letters, ['z'], attempt)).bad.map(({ item }) => item)).toContain('c');
    expect((await sift(letters, [], attempt)).bad.map(({ item }) => item)).toEqual(['c']);
  });

  it('ends soon if everything is broken', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `${index}x`);
    const { tried, attempt } = world(many);
    const { good, bad } = await sift([], many, attempt);
    expect(good).toEqual([]);
    expect(bad).toHaveLength(200);
    expect(tried.length).toBeLessThan(60);
  });
});
