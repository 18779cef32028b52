import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { templateCache } from './cache.ts';

const opened = async () => mkdtempDisposable(join(tmpdir(), 'sluice-cache-'));
const entry = (id: number) => ({ id: String(id), name: `Template ${id}`, nodes: [], library: 'public' });
const pageOf = (id: number) => ({ total: 1, templates: [entry(id)] });
const query = (page: number) => ({ page, rows: 100 });

test('what was just kept is known, even if others are reading the folder', async () => {
  await using place = await opened();
  const cache = templateCache(place.path, 'https://example.com/');
  for (let page = 1; page <= 200; page++) await cache.keepPage(query(page), pageOf(page));
  const first = cache.summaries();
  await cache.keepPage(query(201), pageOf(201));
  expect((await cache.summaries()).has('201')).toBe(true);
  expect((await first).size).toBeGreaterThanOrEqual(200);
});

test('what another process keeps is known, too', async () => {
  await using place = await opened();
  const [one, other] = [0, 1].map(() => templateCache(place.path, 'https://example.com/'));
  await one?.keepPage(query(1), pageOf(1));
  expect([...((await other?.summaries()) ?? new Map()).keys()]).toEqual(['1']);
  await one?.keepPage(query(2), pageOf(2));
  const known = await other?.summaries();
  expect([...(known ?? new Map()).keys()]).toEqual(['1', '2']);
  expect(await other?.summaries()).toBe(known);
});
