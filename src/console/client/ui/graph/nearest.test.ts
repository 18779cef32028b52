import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const places = new Map([
  ['a', { x: 0, y: 0 }],
  ['b', { x: 300, y: 0 }],
  ['upper', { x: 250, y: -120 }],
  ['below', { x: 20, y: 150 }],
  ['same', { x: 0, y: 0 }],
]);

test('an arrow key leads to the next place in its direction', () => {
  expect(nearest(places, 'a', 'ArrowRight')).toBe('b');
  expect(nearest(places, 'b', 'ArrowUp')).toBe('upper');
  expect(nearest(places, 'a', 'ArrowDown')).toBe('below');
  expect(nearest(places, 'below', 'ArrowUp')).toBe('a');
  expect(nearest(places, 'b', 'ArrowLeft')).toBe('a');
});

test('it leads nowhere where there is nothing, and other keys do not either', () => {
  expect(nearest(places, 'a', 'ArrowLeft')).toBeUndefined();
  expect(nearest(places, 'a', 'Enter')).toBeUndefined();
  expect(nearest(places, 'nobody', 'ArrowLeft')).toBeUndefined();
});
