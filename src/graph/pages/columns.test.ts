import { expect, test } from 'vitest';
import { columns } from './columns.ts';

test('what is nearer stands nearer to the middle, and no two are in the same place', () => {
  const nodes = [
    { id: 'far', distance: 2 },
    { id: 'middle', distance: 0 },
    ...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, distance: 1 })),
  ];
  const placed = columns(nodes, [], { wide: 200, tall: 100 });
  expect(placed.get('middle')).toEqual({ x: 0, y: 0 });
  expect(placed.get('a')).toEqual({ x: -100, y: 100 });
  expect(placed.get('d')).toEqual({ x: 100, y: -100 });
  expect(placed.get('far')).toEqual({ x: -100, y: -200 });
  expect(new Set([...placed.values()].map((place) => JSON.stringify(place))).size).toBe(nodes.length);
});
