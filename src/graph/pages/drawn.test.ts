import { expect, test } from 'vitest';
import { drawn } from './drawn.ts';

const ada = { name: 'Ada', type: 'person' };

test('relations between the same two are one line in each direction', () => {
  const relations = [
    { from: 'Ada', type: 'knows', to: 'Bob' },
    { from: 'Ada', type: 'likes', to: 'Bob' },
    { from: 'Bob', type: 'knows', to: 'Ada' },
  ];
  const { nodes, edges } = drawn(ada, { entities: [{ name: 'Bob', type: 'person', distance: 1 }], relations }, 2);
  expect(nodes.map(({ name, distance }) => [name, distance])).toEqual([
    ['Ada', 0],
    ['Bob', 1],
  ]);
  expect(edges).toEqual([
    { from: 'Ada', to: 'Bob', label: 'knows, likes' },
    { from: 'Bob', to: 'Ada', label: 'knows' },
  ]);
});

test('many lines have no labels', () => {
  const relations = Array.from({ length: 100 }, (_, at) => ({ from: 'Ada', type: 'knows', to: `${at}` }));
  expect(drawn(ada, { entities: [], relations }, 60).edges.every(({ label }) => label === undefined)).toBe(true);
});
