import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortened, shown } from './shown.ts';

test('a short text is shown as it is', () => {
  expect(shown(Buffer.from('naïve\n'))).toEqual({ value: 'naïve\n' });
});

test('a long text is cut between characters, and says where it goes on', () => {
  const bytes = Buffer.from('ä'.repeat(10));
  expect(shown(bytes, { most: 5 })).toEqual({ value: 'ää', bytes: 20, next_offset: 4 });
  expect(shown(bytes, { offset: 16, most: 5 })).toEqual({ value: 'ää', bytes: 20 });
});

test('bytes that are no text are shown as base64', () => {
  expect(shown(Buffer.from([0, 255, 1]))).toEqual({ value: 'AP8B', encoding: 'base64' });
  expect(shown(Buffer.from([0xc3, 0x28]))).toEqual({ value: 'wyg=', encoding: 'base64' });
});

test('the parts make the whole again', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 5, max: 50 }), (bytes, most) => {
      const parts: Buffer[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const part = shown(bytes, { offset, most });
        parts.push(Buffer.from(part.value, part.encoding ?? 'utf8'));
        offset = part.next_offset;
      }
      expect(Buffer.concat(parts).equals(Buffer.from(bytes))).toBe(true);
    }),
  );
});

test('a text is shortened with its length', () => {
  expect(shortened('abcdef', 3)).toBe('abc… (6 characters)');
  expect(shortened('abc', 3)).toBe('abc');
  expect(shortened('a😀b', 2)).toBe('a… (4 characters)');
});
