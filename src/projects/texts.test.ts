import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import { beginning, folded, nameOf, oneLine, textOf } from './texts.ts';

test.each([
  '__proto__',
  'constructor',
  'Größe & Übermut',
  '🚀',
  '👩‍👩‍👧 family',
  'عربى',
  "Robert'); DROP TABLE projects;--",
  'x'.repeat(100),
  '🚀'.repeat(100),
])('"%s" is a name', (name) => {
  expect(nameOf(name, 'The name')).toBe(name.normalize('NFC'));
});

test.each<[string, string, RegExp]>([
  ['nothing', '', /is empty/],
  ['spaces', ' \u3000 ', /is empty/],
  ['joiners alone', '\u200d\u200d', /is empty/],
  ['101 characters', 'x'.repeat(101), /101 characters/],
  ['101 emoji', '🚀'.repeat(101), /101 characters/],
  ['a line end', 'a\nb', /cannot be printed/],
  ['a NUL', 'a\0b', /cannot be printed/],
  ['half a character', 'a\ud83d', /cannot be printed/],
  ['a change of direction', 'a\u202eb', /cannot be printed/],
  ['a byte order mark', 'a\ufeffb', /cannot be printed/],
])('%s is no name', (_, name, why) => {
  expect(() => nameOf(name, 'The name')).toThrow(why);
});

test('spellings of one name are one name', () => {
  expect(folded(' SHOP ')).toBe(folded('shop'));
  expect(folded('Cafe\u0301')).toBe(folded('CAFÉ'));
  expect(nameOf(' Cafe\u0301 ', 'The name')).toBe('Café');
});

test('texts keep their lines and lose what no store takes', () => {
  expect(textOf(' a\r\nb\0c\ud83d ', 'A note', 10)).toBe('a\nb c\ufffd');
  expect(() => textOf('x'.repeat(11), 'A note', 10)).toThrow(/11 characters, and at most 10/);
});

test('whatever comes in, a name is short and printable, or refused; a line is one short line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(oneLine(text, 50)).toMatch(/^[^\n\r\0]{0,51}$/);
      expect(oneLine(text, 50).isWellFormed()).toBe(true);
      expect(beginning(text, 20).length).toBeLessThanOrEqual(21);
      try {
        const name = nameOf(text, 'The name');
        expect(Array.from(name).length).toBeLessThanOrEqual(100);
        expect(nameOf(name, 'The name')).toBe(name);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }),
  );
});
