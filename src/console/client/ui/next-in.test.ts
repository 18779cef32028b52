import { expect, test } from 'vitest';
import { nextIn } from './next-in.ts';

const places = new Map([
  ['middle', { x: 0, y: 0 }],
  ['right', { x: 300, y: 0 }],
  ['far right', { x: 600, y: 0 }],
  ['beside', { x: 200, y: 150 }],
  ['below', { x: 10, y: 150 }],
]);

test.each([
  ['middle', { x: 1, y: 0 }, 'right'],
  ['right', { x: 1, y: 0 }, 'far right'],
  ['right', { x: -1, y: 0 }, 'middle'],
  ['middle', { x: 0, y: 1 }, 'below'],
  ['below', { x: 0, y: -1 }, 'middle'],
  ['middle', { x: 0, y: -1 }, undefined],
  ['far right', { x: 1, y: 0 }, undefined],
  ['nowhere', { x: 1, y: 0 }, undefined],
] as const)('from %s, %j leads to %s', (from, direction, to) => {
  expect(nextIn(places, from, direction)).toBe(to);
});
