import { expect, test } from 'vitest';
import { createRevealed } from './revealed.ts';

test('remembers the newest thousand values', () => {
  const revealed = createRevealed();
  for (let index = 0; index <= 1000; index++) revealed.add(`value ${index}`);
  expect(revealed.values()).toHaveLength(1000);
  expect(revealed.values()).not.toContain('value 0');
});

test('remembers fewer that are long, so that they cannot fill the memory', () => {
  const revealed = createRevealed();
  const long = Array.from({ length: 40 }, (_, index) => String(index).repeat(1_000_000));
  for (const value of long) revealed.add(value);
  expect(revealed.values().join('').length).toBeLessThanOrEqual(8_000_000);
  expect(revealed.values().at(-1)).toBe(long.at(-1));
});

test('one value is remembered whatever its length', () => {
  const revealed = createRevealed();
  revealed.add('short');
  revealed.add('x'.repeat(9_000_000));
  expect(revealed.values().map(({ length }) => length)).toEqual([9_000_000]);
});
