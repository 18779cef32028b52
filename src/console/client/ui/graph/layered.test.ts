import { describe, expect, it } from 'vitest';
import { layered } from './layered.ts';

const size = { column: 100, row: 10 };
const edges = (...pairs: string[]) => pairs.map((pair) => ({ from: pair[0] as string, to: pair[1] as string }));

describe('a layered drawing', () => {
  it('leads from left to right', () => {
    const placed = layered(['a', 'b', 'c', 'd'], edges('ab', 'ac', 'bd', 'cd', 'ad'), size);
    expect(['a', 'b', 'c', 'd'].map((id) => placed.get(id)?.x)).toEqual([0, 100, 100, 200]);
    expect(placed.get('b')?.y).not.toBe(placed.get('c')?.y);
  });

  it('draws cycles, loops on itself and edges to nowhere', () => {
    const placed = layered(['a', 'b', 'c'], edges('ab', 'bc', 'ca', 'aa', 'ax'), size);
    expect(['a', 'b', 'c'].map((id) => placed.get(id)?.x)).toEqual([0, 100, 200]);
  });

  it('avoids crossings', () => {
    const placed = layered(['a', 'b', 'x', 'y'], edges('ay', 'bx'), size);
    expect((placed.get('a')?.y ?? 0) < (placed.get('b')?.y ?? 0)).toBe(
      (placed.get('y')?.y ?? 0) < (placed.get('x')?.y ?? 0),
    );
  });

  it('places a chain of ten thousand, and nothing', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => String(index));
    const chain = ids.slice(1).map((to, index) => ({ from: String(index), to }));
    expect(layered(ids, chain, size).get('9999')?.x).toBe(999_900);
    expect(layered([], [], size).size).toBe(0);
  });
});
