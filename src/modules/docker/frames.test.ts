import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Line, linesOf, type Piece, pieces } from './frames.ts';

const frame = (stream: 1 | 2, bytes: Buffer) => {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
};

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

test('streams come apart however the bytes are cut', async () => {
  const frames = fc.array(fc.tuple(fc.constantFrom(1 as const, 2 as const), fc.uint8Array({ maxLength: 40 })));
  await fc.assert(
    fc.asyncProperty(frames, fc.array(fc.integer({ min: 0, max: 12 })), async (given, sizes) => {
      const sent = Buffer.concat(given.map(([stream, bytes]) => frame(stream, Buffer.from(bytes))));
      const read: Piece[] = await all(pieces(cut(sent, sizes), false));
      for (const [number, name] of [
        [1, 'stdout'],
        [2, 'stderr'],
      ] as const) {
        const of = given.filter(([stream]) => stream === number).map(([, bytes]) => Buffer.from(bytes));
        const got = read.filter(({ stream }) => stream === name).map(({ bytes }) => bytes);
        expect(Buffer.concat(got)).toEqual(Buffer.concat(of));
      }
    }),
  );
});

test('a terminal sends text without frames', async () => {
  const read = await all(linesOf(pieces(cut(Buffer.from('one\r\ntwo'), [2]), true)));
  expect(read).toEqual([
    { stream: 'stdout', text: 'one' },
    { stream: 'stdout', text: 'two' },
  ]);
});

test('lines of both streams do not mix, and characters stay whole', async () => {
  const sent = Buffer.concat([
    frame(1, Buffer.from('gr')),
    frame(2, Buffer.from('bad\n')),
    frame(1, Buffer.from('ü').subarray(0, 1)),
    frame(1, Buffer.concat([Buffer.from('ü').subarray(1), Buffer.from('n\nrest')])),
  ]);
  const read: Line[] = await all(linesOf(pieces(cut(sent, [3, 9]), false)));
  expect(read).toEqual([
    { stream: 'stderr', text: 'bad' },
    { stream: 'stdout', text: 'grün' },
    { stream: 'stdout', text: 'rest' },
  ]);
});

test('a line without an end is cut while it is read', async () => {
  async function* endless(): AsyncGenerator<Buffer> {
    for (let n = 0; n < 100; n++) yield Buffer.alloc(100_000, 'x');
  }
  const [line] = await all(linesOf(pieces(endless(), true)));
  expect(line?.text).toHaveLength(16_384 + '… (10000000 bytes)'.length);
});
