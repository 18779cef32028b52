import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { partOf } from './part-of.ts';

const size = (text: string) => {
  const json = JSON.stringify({ text });
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
};

test('parts fit, and together are the text', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 2000, size: 'max' }),
    fc
      .constantFrom('"', '\n', '\u0001', '\\', 'ä', '😀', 'x')
      .chain((sign) => fc.integer({ min: 0, max: 4000 }).map((count) => sign.repeat(count))),
  );
  fc.assert(
    fc.property(texts, (text) => {
      let read = '';
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const part = partOf(text, offset);
        expect(size(part.text)).toBeLessThan(6300);
        expect(part.next_offset ?? Number.POSITIVE_INFINITY).toBeGreaterThan(offset);
        read += part.text;
        offset = part.next_offset;
      }
      expect(read).toBe(text);
    }),
    { numRuns: 15 },
  );
});

test('a short text is whole', () => {
  expect(partOf('It is 42.')).toEqual({ text: 'It is 42.' });
  expect(partOf('')).toEqual({ text: '' });
  expect(partOf('abc', 3)).toEqual({ text: '' });
});

test('a character is not cut in two', () => {
  expect(partOf('😀😀', 0, 30)).toEqual({ text: '😀😀' });
  expect(partOf('😀😀', 0, 15)).toEqual({ text: '😀', next_offset: 2 });
});
