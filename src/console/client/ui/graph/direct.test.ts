import { expect, test } from 'vitest';
import { direct } from './direct.ts';

const box = { wide: 100, tall: 40 };

test('leads from border to border, and back another way', () => {
  const there = direct({ x: 0, y: 0 }, { x: 300, y: 0 }, box);
  expect([there.x1, there.x2]).toEqual([100, 300]);
  expect([there.y1, there.y2]).toEqual([20, 20]);
  const back = direct({ x: 300, y: 0 }, { x: 0, y: 0 }, box);
  expect(Math.sign(back.middle.y - 20)).toBe(-Math.sign(there.middle.y - 20));
});

test('boxes at the same place give numbers', () => {
  const { middle, ...ends } = direct({ x: 5, y: 5 }, { x: 5, y: 5 }, box);
  expect([...Object.values(ends), ...Object.values(middle)].every(Number.isFinite)).toBe(true);
});
