import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { harmless, inEvent } from './harmless.ts';

test.each([
  ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
  ['a moved cursor', 'a\x1b[2J\x1b[Hb', 'ab'],
  ['a title', '\x1b]0;owned\x07text', 'text'],
  ['a link that says something else', '\x1b]8;;http://evil\x1b\\here\x1b]8;;\x1b\\', 'here'],
  ['a single escape', 'a\x1bcb', 'a cb'],
  ['one byte that opens a sequence', 'a\x9b31mb', 'a 31mb'],
  ['a line that is overwritten', 'good\rbad', 'good bad'],
  ['the bell and backspaces', 'a\x07\b\x7fb', 'a   b'],
  ['a reversed reading direction', 'a\u202egpj.exe\u2066', 'a gpj.exe '],
  ['line breaks and tabs stay', 'a\r\nb\n\tc', 'a\nb\n\tc'],
  ['other scripts and signs stay', 'ü 漢 👩‍👩‍👧 é', 'ü 漢 👩‍👩‍👧 é'],
])('%s', (_, text, expected) => expect(harmless(text)).toBe(expected));

test('no text keeps a terminal control sequence', () => {
  const unit = fc.constantFrom('\x1b', '[', ']', '\x07', '\\', '\x9b', '\r', '\n', '3', 'm', ';', 'a', '\u202e');
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit })), (text) => {
      expect(harmless(text)).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test.each([
  ['is one line of plain characters', 'a\u001b[2J\nb\u202ec', 'a?[2J?b?c'],
  ['is cut if it is long', 'x'.repeat(5000), `${'x'.repeat(100)}…`],
  ['has no half character at the cut', `${'x'.repeat(99)}👍 and more`, `${'x'.repeat(99)}?…`],
])('in an event the text %s', (_, text, expected) => expect(inEvent(text)).toBe(expected));
