import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { cursorFor } from '../../kernel/cursor.ts';
import type { GitHub } from './connection.ts';
import { type Listing, nextIn, pageOf, type Pages } from './page.ts';

const signal = new AbortController().signal;
const size = 3;

/** Numbers from 1 on, three a page. */
function counting(last: number) {
  const answer = vi.fn<(path: readonly string[], query: Record<string, unknown>) => void>();
  const github = {
    answer(type: z.ZodType, path: readonly string[], { query = {} }: { query?: Record<string, unknown> }) {
      answer(path, query);
      const page = Number(query.page ?? 1);
      const data = type.parse(Array.from({ length: last }, (_, n) => n + 1).slice((page - 1) * size, page * size));
      const link = `<https://api.github.com/x?q=1&per_page=3&page=${page + 1}>; rel="next", <https://api.github.com/x?page=9>; rel="last"`;
      return Promise.resolve({ data, headers: page * size < last ? { link } : {} });
    },
  } as unknown as Pick<GitHub, 'answer'>;
  return { github, answer };
}

const listing = (cursor?: string): Listing => ({ tool: 'github_list_x', asked: { limit: size }, cursor });
const numbers: Pages<number[], number, { n: number; text?: string }> = {
  type: z.array(z.int()),
  path: ['x'],
  items: (all) => all,
  shape: (n) => ({ n }),
};

async function everything(last: number, pages: typeof numbers): Promise<number[]> {
  const { github } = counting(last);
  const seen: number[] = [];
  for (let cursor: string | undefined, turn = 0; turn < 50; turn += 1) {
    const { items, more } = await pageOf(github, listing(cursor), pages, { signal });
    seen.push(...items.map(({ n }) => n));
    if (more.cursor === undefined) return seen;
    ({ cursor } = more);
  }
  throw new Error('The list does not end.');
}

test('a list is read page by page to its end, nothing twice', async () => {
  expect(await everything(8, numbers)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await everything(3, numbers)).toEqual([1, 2, 3]);
  expect(await everything(0, numbers)).toEqual([]);
});

test('items that do not fit come with the next cursor', async () => {
  const long = { ...numbers, shape: (n: number) => ({ n, text: 'x'.repeat(1500) }) };
  expect(await everything(8, long)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('what is not allowed is left out and counted, and pages without anything are passed over', async () => {
  const { github, answer } = counting(12);
  const rare = { ...numbers, isAllowed: (n: number) => n === 8 };
  const { items, more } = await pageOf(github, listing(), rare, { signal });
  expect(items).toEqual([{ n: 8 }]);
  expect(more).toMatchObject({ left_out: 8 });
  expect(answer).toHaveBeenCalledTimes(3);
  expect(await everything(40, { ...numbers, shape: (n) => (n === 40 ? { n } : undefined) })).toEqual([40]);
});

test('a forged cursor brings no other parameters', async () => {
  const { github, answer } = counting(3);
  const forged = cursorFor('github_list_x', { limit: size }, { next: 'q=repo:secret/x&page=2&per_page=100', skip: 0 });
  await pageOf(github, listing(forged), { ...numbers, query: { q: 'mine' } }, { signal });
  expect(answer).toHaveBeenCalledWith(['x'], { q: 'mine', per_page: size, page: '2' });
});

test('Link headers', () => {
  expect(nextIn('<https://x.test/?page=1>; rel="prev", <https://x.test/?q=a,b&page=3>; rel="next"')).toBe('page=3');
  expect(nextIn('<https://x.test/?after=Y3Vyc29y&per_page=5>; rel="next"')).toBe('after=Y3Vyc29y');
  expect(nextIn('<https://x.test/?page=1>; rel="last"')).toBeUndefined();
  expect(nextIn('<nonsense>; rel="next"')).toBeUndefined();
  expect(nextIn(undefined)).toBeUndefined();
});
