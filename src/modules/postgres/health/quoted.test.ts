import { expect, it } from 'vitest';
import { literal, quoted, quotedIn } from './quoted.ts';

it.each([
  ['orders', 'orders'],
  ['Orders', '"Orders"'],
  ['select', '"select"'],
  ['1st', '"1st"'],
  ['a"b', '"a""b"'],
  ['x; DROP TABLE y', '"x; DROP TABLE y"'],
  ['', '""'],
])('quotes the name %s where it must', (name, text) => {
  expect(quoted(name)).toBe(text);
});

it('quotes each part, and texts', () => {
  expect(quotedIn('My Shop', 'orders')).toBe('"My Shop".orders');
  expect([literal("it's"), literal('a\\b')]).toEqual(["'it''s'", "E'a\\\\b'"]);
});
