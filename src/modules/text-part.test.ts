import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { brief, textPart } from './text-part.ts';

const inReply = (text: string) => JSON.stringify(text).length + JSON.stringify(JSON.stringify(text)).length;

test('a short text is shown whole', () => {
  expect(textPart('hello')).toEqual({ text: 'hello' });
  expect(textPart('')).toEqual({ text: '' });
  expect(brief('hello', 100)).toBe('hello');
});

test('a long text is cut, and says so', () => {
  const part = textPart('x'.repeat(10_000));
  expect(part.characters).toBe(10_000);
  expect(part.next_offset).toBe(part.text.length);
  expect(part.text.length).toBeGreaterThan(3000);
  expect(brief('x'.repeat(10_000), 100)).toMatch(/^x{30,50}… \(10000 characters\)$/);
});

test('an offset behind the end shows nothing', () => {
  expect(textPart('abc', 3)).toEqual({ text: '', characters: 3 });
  expect(textPart('abc', 99)).toEqual({ text: '', characters: 3 });
});

test('the parts make up the whole, none is larger than its room, and no character is cut in two', () => {
  const room = 200;
  const texts = fc.array(fc.constantFrom('a', '"', '\\', '\n', 'ü', '漢', '😀', '\u0001'), { maxLength: 300 });
  fc.assert(
    fc.property(texts, (characters) => {
      const whole = characters.join('');
      let read = '';
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const { text, next_offset } = textPart(whole, offset, room);
        expect(inReply(text)).toBeLessThanOrEqual(room);
        expect(text.isWellFormed()).toBe(true);
        read += text;
        offset = next_offset;
      }
      expect(read).toBe(whole);
    }),
  );
});
