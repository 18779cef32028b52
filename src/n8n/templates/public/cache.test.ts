import { mkdtempDisposable, readdir, utimes } from 'node:fs/promises';
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

test('a sync whose pages were deleted for want of room no longer counts', async () => {
  await using place = await opened();
  const cache = templateCache(place.path, 'https://example.com/', 20_000);
  const node = { name: 'A', type: 'a.b', typeVersion: 1, parameters: { text: 'x'.repeat(5000) } };
  const workflow = { nodes: [node], connections: {} };
  await cache.keepPage(query(1), { total: 1, templates: [{ ...entry(1), description: 'y'.repeat(4000) }] });
  const pages = join(cache.folder, 'pages');
  // Clocks of some file systems are too coarse for what follows.
  for (const file of await readdir(pages)) await utimes(join(pages, file), 1, 1);
  for (const id of [2, 3]) await cache.keepTemplate({ ...entry(id), workflow });
  await cache.keepSynced({ limit: 100, templates: 1, total: 1 }, Date.now());
  expect(await cache.synced()).toBeDefined();
  for (const id of [4, 5]) await cache.keepTemplate({ ...entry(id), workflow });
  expect(await cache.page(query(1))).toBeUndefined();
  expect(await cache.synced()).toBeUndefined();
});
