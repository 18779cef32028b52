import { expect, test } from 'vitest';
import { objectIn } from './object-in.ts';

test('reads a JSON object', () => {
  expect(objectIn('')).toEqual({ value: {} });
  expect(objectIn('{"born":1815}')).toEqual({ value: { born: 1815 } });
  expect(objectIn('[]')).toHaveProperty('problem');
  expect(objectIn('{')).toHaveProperty('problem');
});
