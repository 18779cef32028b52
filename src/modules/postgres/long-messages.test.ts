import { expect, test } from 'vitest';
import { longMessages } from './long-messages.ts';

const message = (letter: string, bytes: number): Buffer => {
  const all = Buffer.alloc(5 + bytes, 'E');
  all.write(letter);
  all.writeUInt32BE(bytes + 4, 1);
  return all;
};

const stream = Buffer.concat([message('R', 4), message('1', 0), message('D', 100), message('Z', 1), message('N', 101)]);
const begin = stream.length - 101;

test.each([1, 2, 3, 5, 7, 64, stream.length])('finds a long message in pieces of %i bytes by its head', (size) => {
  const find = longMessages(100);
  const found: number[] = [];
  for (let at = 0; at < stream.length; at += size) {
    const long = find(stream.subarray(at, at + size));
    if (!long) continue;
    expect(long).toEqual({ letter: 'N', bytes: 101 });
    found.push(at);
  }
  const [first] = found;
  expect(found).toHaveLength(1);
  // Before any of its content is needed.
  expect(first).toBeLessThan(begin);
  expect((first as number) + size).toBeGreaterThanOrEqual(begin);
});

test('leaves messages that are as long as they may be', () => {
  expect(longMessages(101)(stream)).toBeUndefined();
});
