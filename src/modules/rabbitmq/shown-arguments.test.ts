import { expect, test } from 'vitest';
import { shownArguments } from './shown-arguments.ts';

test('a few short ones are shown as they are', () => {
  const given = { 'x-max-length': 10, 'x-dead-letter-exchange': 'dlx', nested: { a: [1] } };
  expect(shownArguments(given)).toEqual(given);
});

test('long ones are cut, and many are counted', () => {
  expect(shownArguments({ text: 'x'.repeat(200) })).toEqual({ text: `${'x'.repeat(80)}… (200 characters)` });
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`name-${n}`, '"'.repeat(500)]));
  const shown = shownArguments(many);
  expect(shown).toHaveProperty(['…'], `${50 - (Object.keys(shown).length - 1)} more`);
  expect(JSON.stringify(shown).length).toBeLessThan(1000);
});
