import { expect, test } from 'vitest';
import { assertRoom } from './room.ts';

const asked = { file: 'big.csv', fromRow: 1, mode: 'insert', anySize: false } as const;
const big = { rows: 1000, bytes: 250_000_000 };

test('a file that is plainly larger than what n8n can store is refused before anything is written', () => {
  expect(() => assertRoom([], big, asked)).toThrow(
    'big.csv needs about 238 MB, but n8n stores at most 200 MB in all data tables, and 0.0 MB are in use. Nothing was written.',
  );
  expect(() => assertRoom([{ bytes: 150_000_000 }], { rows: 10, bytes: 90_000_000 }, asked)).toThrow(
    /143 MB are in use/,
  );
});

test('the rest of a file, an update and a file that is wanted anyway are not', () => {
  const small = { rows: 10, bytes: 50_000_000 };
  expect(() => assertRoom([{ bytes: 150_000_000 }], small, asked)).not.toThrow();
  expect(() => assertRoom([], big, { ...asked, fromRow: 500 })).not.toThrow();
  expect(() => assertRoom([], big, { ...asked, mode: 'update' })).not.toThrow();
  expect(() => assertRoom([], big, { ...asked, anySize: true })).not.toThrow();
});
