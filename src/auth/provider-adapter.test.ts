import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSeal } from '../kernel/seal.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { createAdapters } from './provider-adapter.ts';

it.each([
  ['Interaction', 10_000],
  ['Client', 5000],
])('limits the records that anyone can create: %s', async (kind, most) => {
  await using store = await openSqlite(':memory:');
  const adapters = createAdapters(store.oauth, createSeal(randomBytes(32)), () => new Error('used'));
  const adapter = adapters(kind);
  for (let n = 0; n < most; n++)
    await store.oauth.put(kind, `before ${n}`, { payload: '', expires: Date.now() + 60_000 + n });
  for (let n = 0; n < 3; n++) await adapter.upsert(`new ${n}`, { params: {} }, 1800);
  expect(await store.oauth.count(kind)).toBe(most);
  expect(await adapter.find('new 2')).toMatchObject({ params: {} });
  expect(await store.oauth.find(kind, 'before 2')).toBeUndefined();
  expect(await store.oauth.find(kind, 'before 3')).toBeDefined();
});
