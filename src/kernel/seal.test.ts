import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSeal } from './seal.ts';

it('opens what it sealed, with the same context and secret', () => {
  const { seal, open } = createSeal(randomBytes(32));
  const sealed = seal('sëcret', 'keys');
  expect(sealed).not.toContain('secret');
  expect(open(sealed, 'keys')).toBe('sëcret');
  expect(() => open(sealed, 'tokens')).toThrow(/altered/);
  const other = sealed.endsWith('A') ? 'B' : 'A';
  expect(() => open(sealed.slice(0, -3) + other.repeat(3), 'keys')).toThrow(/altered/);
  expect(() => open('', 'keys')).toThrow(/altered/);
  expect(() => createSeal(randomBytes(32)).open(sealed, 'keys')).toThrow(/altered/);
});
