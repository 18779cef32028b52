import { expect, test } from 'vitest';
import { radial } from './radial.ts';

const box = { wide: 200, tall: 70 };
const middle = { id: 'middle', distance: 0 };
const around = (count: number, distance = 1) =>
  Array.from({ length: count }, (_, at) => ({ id: `${distance}.${at}`, distance }));

test.each([0, 1, 5, 6, 7, 40, 200, 500])('no two of %i neighbours overlap', (count) => {
  const nodes = [middle, ...around(count)];
  const edges = around(count).map(({ id }) => ({ from: 'middle', to: id }));
  const places = [...radial(nodes, edges, box).values()];
  expect(places).toHaveLength(count + 1);
  const isApart = (one: { x: number; y: number }, other: { x: number; y: number }) =>
    Math.abs(one.x - other.x) >= box.wide - 0.001 || Math.abs(one.y - other.y) >= box.tall - 0.001;
  expect(places.every((one, at) => places.slice(at + 1).every((other) => isApart(one, other)))).toBe(true);
});

test('what is further away stands outside, near the one that it belongs to', () => {
  const nodes = [middle, ...around(4), { id: 'far', distance: 2 }];
  const edges = [...around(4).map(({ id }) => ({ from: id, to: 'middle' })), { from: 'far', to: '1.2' }];
  const places = radial(nodes, edges, box);
  const at = (id: string) => places.get(id) as { x: number; y: number };
  expect(at('1.2').x).toBeLessThan(0);
  expect(at('far').x).toBeLessThan(at('1.2').x);
});

test('names of all kinds, cycles and edges to nowhere do no harm', () => {
  const nodes = [
    { id: '__proto__', distance: 0 },
    { id: 'constructor', distance: 1 },
  ];
  const edges = [
    { from: '__proto__', to: 'constructor' },
    { from: 'constructor', to: '__proto__' },
    { from: 'constructor', to: 'constructor' },
    { from: 'nowhere', to: '' },
  ];
  expect([...radial(nodes, edges, box).keys()]).toEqual(['__proto__', 'constructor']);
  expect(radial([], [], box).size).toBe(0);
});
