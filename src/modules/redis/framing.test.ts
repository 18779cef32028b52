import { expect, test } from 'vitest';
import { redisFraming } from './framing.ts';

const answers = [
  '+OK\r\n',
  ':12\r\n',
  '$-1\r\n',
  '$5\r\na\r\nbc\r\n',
  '$0\r\n\r\n',
  '*-1\r\n',
  '*0\r\n',
  '*3\r\n$2\r\nab\r\n*2\r\n:1\r\n+x\r\n-ERR no\r\n',
  '%1\r\n+a\r\n$1\r\nb\r\n',
  `$100\r\n${'*9999999\r\n'.repeat(10)}\r\n`,
];
const longest = Math.max(...answers.map(({ length }) => length));

const all = Buffer.from(answers.join('').repeat(3));

test.each([1, 2, 3, 7, 1000])('knows where answers end, in pieces of %d bytes', (size) => {
  const tooLong = (most: number) => {
    const read = redisFraming(most);
    for (let at = 0; at < all.length; at += size) {
      const found = read(all.subarray(at, at + size));
      if (found !== -1) return { at, found };
    }
    return undefined;
  };
  expect(tooLong(longest)).toBeUndefined();
  const { at = -1, found } = tooLong(longest - 1) ?? {};
  expect(found).toBe(Math.max(0, all.indexOf('$100') - at));
});

const most = 1_000_000;

test.each([
  ['a text', `$${most}\r\n`],
  ['elements', `*${most / 2}\r\n`],
  ['pairs', `%${most / 4}\r\n`],
  ['a text inside a list', `*2\r\n:1\r\n$${most}\r\n`],
  ['a text whose length has many zeros', `$${String(most).padStart(20, '0')}\r\n`],
])('knows from the beginning that it is too long: %s', (_, text) => {
  expect(redisFraming(most)(Buffer.from(`+OK\r\n${text}`))).toBe(5);
});

test.each([
  ['a line without an end', '+', 'x'.repeat(1024)],
  ['a list of small texts', `*${most / 4}\r\n`, '$2\r\nab\r\n'.repeat(128)],
])('counts what arrives of %s', (_, begin, more) => {
  const read = redisFraming(most);
  expect(read(Buffer.from(begin))).toBe(-1);
  let sent = 0;
  for (; read(Buffer.from(more)) === -1; sent += more.length) expect(sent).toBeLessThan(most);
  expect(sent).toBeGreaterThan(most / 8);
});
