import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownPart } from './file-part.ts';

const MOST = 3000;

/** The whole file, read part by part as the tool does. */
function read(file: Buffer): { parts: Buffer[]; sizes: number[] } {
  const parts: Buffer[] = [];
  const sizes: number[] = [];
  for (let offset = 0; ; ) {
    const part = shownPart(file.subarray(offset, offset + MOST), { offset, size: file.length });
    parts.push(Buffer.from(part.content, part.encoding ?? 'utf8'));
    sizes.push(Buffer.byteLength(JSON.stringify(part)) + Buffer.byteLength(JSON.stringify(JSON.stringify(part))));
    if (part.next_offset === undefined) return { parts, sizes };
    expect(part.next_offset).toBeGreaterThan(offset);
    offset = part.next_offset;
  }
}

test.each([
  ['text', 'line of text\n'.repeat(1000)],
  ['characters of several bytes', 'größe 🎉 naïve 漢字 '.repeat(500)],
  ['quotes and line ends', '"\\\n'.repeat(3000)],
  ['nothing', ''],
])('%s can be read to its end, and each part fits into a reply', (_, text) => {
  const { parts, sizes } = read(Buffer.from(text));
  expect(Buffer.concat(parts).toString('utf8')).toBe(text);
  expect(parts.map((part) => part.toString('utf8')).join('')).toBe(text);
  expect(Math.max(...sizes)).toBeLessThan(7500);
});

test('bytes that are no text come as base64', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 9000 }), (bytes) => {
      expect(Buffer.concat(read(Buffer.from(bytes)).parts)).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 50 },
  );
});
