import { expect, test } from 'vitest';
import { createRedactor } from './redact.ts';

test('every occurrence of a secret goes, and only secrets', () => {
  const redact = createRedactor(() => ['s3cret-token']);
  expect(redact('Bearer s3cret-token, again s3cret-token')).toBe('Bearer [redacted], again [redacted]');
  expect(redact('nothing here')).toBe('nothing here');
});

test('a secret inside another leaves no part of either', () => {
  const redact = createRedactor(() => ['secret', 'secret-and-more']);
  expect(redact('it is secret-and-more')).toBe('it is [redacted]');
});

test('very short values would hide everything', () => {
  expect(createRedactor(() => ['a', '12345'])('a 12345')).toBe('a 12345');
});

test('secrets that come later count', () => {
  const secrets: string[] = [];
  const redact = createRedactor(() => secrets);
  secrets.push('changed-token');
  expect(redact('changed-token')).toBe('[redacted]');
});
