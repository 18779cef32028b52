import { expect, test } from 'vitest';
import { versionToUse } from './connection.ts';

test.each([
  ['1.24', '', '1.24'],
  ['1.41', '1.24', '1.41'],
  ['1.47', '1.24', '1.47'],
  ['1.52', '1.44', '1.47'],
  ['1.60', '1.50', '1.50'],
])('a server of %s (from %s on) is asked in %s', (theirs, oldest, used) => {
  expect(versionToUse(theirs, oldest)).toBe(used);
});

test.each(['1.23', '', 'x', '1.9'])('%s is too old, or none', (theirs) => {
  expect(() => versionToUse(theirs, '')).toThrow('1.24 or newer');
});
