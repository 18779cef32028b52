import { expect, test } from 'vitest';
import { mongoFraming } from './framing.ts';

function message(length: number, operation = 2013): Buffer {
  const bytes = Buffer.alloc(length, 0xff);
  bytes.writeInt32LE(length, 0);
  bytes.writeInt32LE(operation, 12);
  return bytes;
}

test.each([1, 3, 16, 17, 1000])('reads the length of each message, in pieces of %d bytes', (size) => {
  const all = Buffer.concat([message(16), message(100), message(21), message(300), message(40)]);
  const tooLong = (most: number) => {
    const read = mongoFraming(most);
    for (let at = 0; at < all.length; at += size) if (read(all.subarray(at, at + size)) !== -1) return at;
    return -1;
  };
  expect(tooLong(300)).toBe(-1);
  // In the piece with the end of its header.
  expect(tooLong(299)).toBe(152 - (152 % size));
});

test('finds where the message begins that is too long, or compressed', () => {
  expect(mongoFraming(100)(Buffer.concat([message(40), message(101)]))).toBe(40);
  expect(mongoFraming(100)(Buffer.concat([message(40), message(41, 2012)]))).toBe(40);
});
