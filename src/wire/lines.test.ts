import { expect, test } from 'vitest';
import { createLineReader } from './lines.ts';

function reading(limit = 1000) {
  const lines: string[] = [];
  const tooLong: { head: string; tail: string; bytes: number }[] = [];
  const read = createLineReader({ limit, onLine: (line) => lines.push(line), onTooLong: (ends) => tooLong.push(ends) });
  return {
    lines,
    tooLong,
    read: (...chunks: (string | Buffer)[]) => chunks.forEach((chunk) => read(Buffer.from(chunk as string))),
  };
}

test('lines are found wherever the chunks end', () => {
  const { lines, read } = reading();
  read('{"a":1}\n{"b"', ':', '2}', '\n', '{"c":3}\r\n{"d":4}\n{"unfinished"');
  expect(lines).toEqual(['{"a":1}', '{"b":2}', '{"c":3}', '{"d":4}']);
});

test('empty lines are skipped', () => {
  const { lines, read } = reading();
  read('\n\n  \r\nx\n\n', '\n', 'y\n');
  expect(lines).toEqual(['x', 'y']);
});

test('joins a character split between chunks', () => {
  const { lines, read } = reading();
  const bytes = Buffer.from('"tschüß 🎉"\n');
  for (const byte of bytes) read(Buffer.of(byte));
  expect(lines).toEqual(['"tschüß 🎉"']);
});

test('invalid UTF-8 affects only the invalid bytes', () => {
  const { lines, read } = reading();
  read(Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff, 0xfe), Buffer.from('"}\n{"b":1}\n')]));
  expect(lines).toEqual(['{"a":"��"}', '{"b":1}']);
});

test('a line over the limit is dropped and reported with its ends; what follows is read', () => {
  const { lines, tooLong, read } = reading(1000);
  const long = `{"id":7,${'x'.repeat(5000)},"end":true}`;
  read('first\n', long.slice(0, 900), long.slice(900, 4000), long.slice(4000), '\nlast\n');
  expect(lines).toEqual(['first', 'last']);
  expect(tooLong).toEqual([{ head: long.slice(0, 512), tail: long.slice(-512), bytes: long.length }]);
});

test('a line of exactly the limit is read', () => {
  const { lines, tooLong, read } = reading(10);
  read('0123456789\n', '0123456789a\n');
  expect(lines).toEqual(['0123456789']);
  expect(tooLong).toMatchObject([{ bytes: 11 }]);
});

test('two lines over the limit in a row are two reports', () => {
  const { tooLong, read } = reading(10);
  read('x'.repeat(20), '\n', 'y'.repeat(30), '\n');
  expect(tooLong).toMatchObject([{ bytes: 20 }, { bytes: 30 }]);
});
