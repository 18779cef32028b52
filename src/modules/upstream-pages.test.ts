import { expect, test } from 'vitest';
import { upstreamPages } from './upstream-pages.ts';

/** Three pages of 40 texts each. */
const pages = [0, 1, 2].map((page) => ({
  items: Array.from({ length: 40 }, (_, n) => ({ n: page * 40 + n, text: 'x'.repeat(100) })),
  next: page < 2 ? String(page + 1) : undefined,
}));
const fetch = async (next: string | undefined) => pages[Number(next ?? 0)] ?? { items: [], next: undefined };

async function all(show: (item: { n: number; text: string }) => { n: number; text: string } | undefined) {
  const seen: number[] = [];
  let cursor: string | undefined;
  let replies = 0;
  do {
    const page = await upstreamPages({ list: 'x_list', asked: {}, cursor }, fetch, show);
    seen.push(...page.items.map(({ n }) => n));
    ({ cursor } = page);
    replies += 1;
  } while (cursor !== undefined && replies < 50);
  return { seen, replies };
}

test('every item is shown once, over pages that do not fit into a reply', async () => {
  const { seen, replies } = await all((item) => item);
  expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => n));
  expect(replies).toBeGreaterThan(3);
});

test('what may not be shown is left out, and pages of it are skipped', async () => {
  expect(await all((item) => (item.n % 50 === 49 ? item : undefined))).toMatchObject({ seen: [49, 99] });
  expect(await all((item) => (item.n === 119 ? item : undefined))).toEqual({ seen: [119], replies: 1 });
  expect(await all(() => undefined)).toEqual({ seen: [], replies: 1 });
});

test('a service that pages without end is asked ten times', async () => {
  let asked = 0;
  const endless = async () => ({ items: [asked++], next: 'more' });
  const { items, cursor } = await upstreamPages(
    { list: 'x_list', asked: {}, cursor: undefined },
    endless,
    () => undefined,
  );
  expect({ items, asked }).toEqual({ items: [], asked: 10 });
  expect(cursor).toBeDefined();
});

test('a cursor of another list is refused', async () => {
  const { cursor } = await upstreamPages({ list: 'x_list', asked: {}, cursor: undefined }, fetch, (item) => item);
  await expect(upstreamPages({ list: 'y_list', asked: {}, cursor }, fetch, (item) => item)).rejects.toThrow(
    'This cursor does not belong to y_list',
  );
});
