import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { partOf, readAll, readJson } from './answer.ts';

const body = (...parts: string[]) => Readable.from(parts.map((part) => Buffer.from(part)));

test('a part of a body, wherever the pieces are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ maxLength: 5 })),
      fc.nat(30),
      fc.integer({ min: 1, max: 30 }),
      async (pieces, offset, most) => {
        const all = Buffer.from(pieces.join(''));
        const { bytes, isLast } = await partOf(body(...pieces), { offset, most });
        expect(bytes.toString('hex')).toBe(all.subarray(offset, offset + most).toString('hex'));
        expect(isLast).toBe(all.length <= offset + most);
      },
    ),
  );
});

test('what follows the part is not read', async () => {
  let read = 0;
  async function* endless() {
    for (;;) {
      read += 1;
      yield Buffer.alloc(10, 'x');
    }
  }
  expect((await partOf(endless(), { offset: 5, most: 10 })).bytes).toHaveLength(10);
  expect(read).toBe(2);
});

test('a body that is too long is refused', async () => {
  expect((await readAll(body('abc', 'de'), 5, 'github')).toString()).toBe('abcde');
  await expect(readAll(body('abc', 'def'), 5, 'github')).rejects.toThrow('more than 0 KB');
});

test('what is not the documented JSON is said to be so', () => {
  const place = { at: 'github at here', setting: 'modules.github' };
  expect(readJson(z.object({ a: z.int() }), '{"a":1,"b":2}', place)).toEqual({ a: 1 });
  expect(readJson(z.unknown(), '', place)).toBeUndefined();
  expect(() => readJson(z.unknown(), '<html>', place)).toThrow('modules.github.url');
  expect(() => readJson(z.object({ a: z.int() }), '{}', place)).toThrow('something else');
});
