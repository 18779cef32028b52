import { expect, test } from 'vitest';
import { tagsIn, titleOf, validityOf, whyWords } from './words.ts';

const now = Date.parse('2026-06-01T00:00:00Z');

test('says whether a memory holds', () => {
  expect(validityOf({}, now)).toBeUndefined();
  expect(validityOf({ valid_to: '2026-05-01T12:00:00Z' }, now)).toMatch(/^was true until /);
  expect(validityOf({ valid_to: '2026-07-01T12:00:00Z' }, now)).toMatch(/^true until /);
  expect(validityOf({ valid_from: '2026-07-01T12:00:00Z' }, now)).toMatch(/^true from /);
  expect(validityOf({ valid_from: '2026-01-01T12:00:00Z' }, now)).toMatch(/^true since /);
});

test('says why a search found it', () => {
  expect(whyWords({ words: ['port'], related: ['staging'], meaning: 0.514 })).toBe(
    'words: port · related: staging · meaning 51 %',
  );
  expect(whyWords({ meaning: -0.2 })).toBe('');
});

test('titles are one short line, and never half a character', () => {
  expect(titleOf('\n\nFirst\nSecond')).toBe('First');
  expect(titleOf('😀'.repeat(200)).isWellFormed()).toBe(true);
});

test('reads tags as people type them', () => {
  expect(tagsIn(' a, b ,, a')).toEqual(['a', 'b']);
});
