import { expect, it } from 'vitest';
import { bottomUp } from './order.ts';

const calls = new Map([
  ['a', ['b', 'c']],
  ['b', ['c', 'outside']],
  ['x', ['y']],
  ['y', ['x']],
]);

it('puts called workflows first, also in a circle and in a long chain', () => {
  const order = bottomUp(['a', 'b', 'c', 'x', 'y'], (file) => calls.get(file) ?? []);
  expect(order).toEqual(['c', 'b', 'a', 'y', 'x']);
  const chain = Array.from({ length: 20_000 }, (_, index) => String(index));
  expect(bottomUp(chain, (file) => [String(Number(file) + 1)])[0]).toBe('19999');
});
