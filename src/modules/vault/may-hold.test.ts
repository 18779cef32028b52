import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { globMatcher } from '../../kernel/glob.ts';
import { mayHold } from './may-hold.ts';

test.each([
  ['secret/app/*', 'secret/', true],
  ['secret/app/*', 'secret/app/', true],
  ['secret/app/*', 'secret/app/db/', true],
  ['secret/app/*', 'secret/apple/', false],
  ['secret/app/*', 'kv/', false],
  ['secret/app/db', 'secret/app/', true],
  ['secret/app/db', 'secret/app/db/', false],
  ['*/db', 'secret/app/', true],
  ['*', 'secret/', true],
  ['secret/t?st/x', 'secret/test/', true],
] as const)('%s in %s: %s', (glob, folder, holds) => {
  expect(mayHold(glob, folder)).toBe(holds);
});

test('a folder is shown if a path below it is allowed', () => {
  const text = fc.stringMatching(/^[ab/*?]{1,8}$/);
  const path = fc.stringMatching(/^[ab]{1,3}(?:\/[ab]{1,3}){1,3}$/);
  const { failed, counterexample } = fc.check(
    fc.property(text, path, (glob, full) => {
      const folder = full.slice(0, full.lastIndexOf('/') + 1);
      return !globMatcher([glob])(full) || mayHold(glob, folder);
    }),
    { numRuns: 2000 },
  );
  expect(failed, JSON.stringify(counterexample)).toBe(false);
});
