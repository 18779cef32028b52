import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FETCHED, viewed, viewedItem, viewedName } from './view.ts';

/** Reads a value part by part, as a caller does. */
function whole(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const part = viewed(bytes.subarray(offset, offset + FETCHED), { offset, total: bytes.length });
    const json = JSON.stringify(part);
    expect(json.length + JSON.stringify(json).length).toBeLessThan(7000);
    parts.push(Buffer.from(part.value, part.encoding ?? 'utf8'));
    expect(part.next_offset ?? Number.POSITIVE_INFINITY).toBeGreaterThan(offset);
    offset = part.next_offset;
  }
  return Buffer.concat(parts);
}

describe('views of values', () => {
  test('parts make the whole, and each fits', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 100 }).map((text) => Buffer.from(text.repeat(120)));
    const bytes = fc.uint8Array({ maxLength: 10_000 }).map((given) => Buffer.from(given));
    fc.assert(
      fc.property(fc.oneof(texts, bytes), (value) => {
        expect(whole(value).equals(value)).toBe(true);
      }),
    );
  });

  test('quotes and escapes are cut to the room they take', () => {
    for (const sign of ['\ufeff', '"', '\\', '\n', '\u001b', '🙂']) {
      const value = Buffer.from(sign.repeat(20_000));
      expect(whole(value).equals(value)).toBe(true);
    }
  });

  test('an item that is cut has its size, and no offset', () => {
    expect(viewedItem(Buffer.from('short'))).toEqual({ value: 'short' });
    const cut = viewedItem(Buffer.from('x'.repeat(5000)));
    expect(cut).toMatchObject({ bytes: 5000 });
    expect(cut).not.toHaveProperty('next_offset');
  });

  test('a name that nobody would type is cut visibly', () => {
    expect(viewedName(Buffer.from('a'))).toBe('a');
    expect(viewedName(Buffer.from('a'.repeat(100_000)))).toMatch(/^a{1000}… \(\d+ characters\)$/);
  });
});
