import { expect, test } from 'vitest';
import { termsOf } from '../../kernel/terms.ts';
import { relatedTo } from './thesaurus.ts';

const related = (one: string, other: string) => relatedTo(termsOf(one)[0] ?? '').has(termsOf(other)[0] ?? '');

test('relates words, in any form and both ways', () => {
  expect(related('passwords', 'passphrase')).toBe(true);
  expect(related('passphrase', 'password')).toBe(true);
  expect(related('password', 'coffee')).toBe(false);
  expect(relatedTo('constructor').size).toBe(0);
});

test('a word is not related to itself', () => {
  expect(related('password', 'password')).toBe(false);
});
