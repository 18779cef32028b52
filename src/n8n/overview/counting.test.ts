import { expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { countUpTo, partOf } from './counting.ts';

/** A list of `length` numbers in pages, like n8n's. */
function pages(length: number) {
  const asked: number[] = [];
  const page = async ({ limit, cursor = '0' }: { limit: number; cursor?: string }) => {
    asked.push(limit);
    const [from, to] = [Number(cursor), Math.min(length, Number(cursor) + limit)];
    const items = Array.from({ length: to - from }, (_, index) => from + index);
    return { items, ...(to < length && { cursor: String(to) }) };
  };
  return { page, asked };
}

test('counts to the end', async () => {
  const { page, asked } = pages(600);
  expect(await countUpTo(page, 1000, Infinity)).toMatchObject({ items: { length: 600 }, cut: false });
  expect(asked).toEqual([250, 250, 250]);
});

test('stops at the maximum, and says so', async () => {
  const { page, asked } = pages(600);
  expect(await countUpTo(page, 300, Infinity)).toMatchObject({ items: { length: 300 }, cut: true });
  expect(asked).toEqual([250, 50]);
});

test('stops when the time is up', async () => {
  const { page, asked } = pages(600);
  expect(await countUpTo(page, 1000, 0)).toEqual({ items: [], cut: true });
  expect(asked).toEqual([]);
});

test('a part that the key may not read is not a failure', async () => {
  const refused = new AppError('forbidden', 'no');
  expect(await partOf(Promise.reject(refused))).toEqual({ refused });
  await expect(partOf(Promise.reject(new AppError('unavailable', 'gone')))).rejects.toThrow('gone');
});
