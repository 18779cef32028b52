import { expect, test } from 'vitest';
import { boltFraming } from './framing.ts';

const chunk = (length: number) => Buffer.concat([Buffer.from([length >> 8, length & 0xff]), Buffer.alloc(length, 1)]);
const messages = Buffer.concat([
  Buffer.concat([chunk(5), chunk(0)]),
  // Keeps the connection open.
  chunk(0),
  Buffer.concat([chunk(300), chunk(400), chunk(0)]),
  Buffer.concat([chunk(600), chunk(0)]),
]);
const handshakes = [
  ['one version', [0, 0, 4, 5]],
  ['versions and flags', [0, 0, 1, 0xff, 2, 0, 0, 4, 5, 0, 8, 8, 5, 0x81, 0x01]],
  ['no version at all', [0, 0, 1, 0xff, 0, 0]],
] as const;

test.each(handshakes.flatMap(([what, bytes]) => [1, 2, 5, 1000].map((size) => [what, size, bytes] as const)))(
  'adds up the chunks of each message after %s, in pieces of %d bytes',
  (_, size, handshake) => {
    const all = Buffer.concat([Buffer.from(handshake), messages]);
    const tooLong = (most: number) => {
      const read = boltFraming(most);
      for (let at = 0; at < all.length; at += size) if (read(all.subarray(at, at + size)) !== -1) return at;
      return -1;
    };
    expect(tooLong(700)).toBe(-1);
    // In the piece with the length of its second chunk.
    const place = handshake.length + 7 + 2 + 2 + 2 + 300 + 1;
    expect(tooLong(699)).toBe(place - (place % size));
  },
);

test('finds where the message begins that is too long', () => {
  const read = boltFraming(100);
  expect(read(Buffer.from([0, 0, 4, 5]))).toBe(-1);
  expect(read(Buffer.concat([chunk(50), chunk(0), chunk(60), chunk(60)]))).toBe(54);
});

test('a handshake without an end is too long', () => {
  const read = boltFraming(100);
  expect(read(Buffer.from([0, 0, 1, 0xff]))).toBe(-1);
  expect(read(Buffer.alloc(5000, 0xff))).toBe(0);
});
