import { expect, test } from 'vitest';
import { fitted } from './fitted.ts';

test('short lists stay as they are', () => {
  expect(fitted({ a: [1, 2], b: [] })).toEqual({ lists: { a: [1, 2], b: [] } });
});

test('of long lists the first is kept longest, and the rest is counted', () => {
  const long = Array.from({ length: 100 }, (_, at) => ({ id: `id-${at}`, name: 'x'.repeat(50) }));
  const { lists, more } = fitted({ failed: long.slice(0, 3), done: long });
  expect(lists.failed).toHaveLength(3);
  expect(lists.done.length).toBeGreaterThan(10);
  expect(lists.done.length + Number(more)).toBe(100);
  expect(JSON.stringify(lists).length * 2).toBeLessThan(8192);
});
