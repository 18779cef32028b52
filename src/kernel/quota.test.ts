import { expect, test } from 'vitest';
import type { Principal } from './principal.ts';
import { createQuota } from './quota.ts';

const MB = 1024 * 1024;
const ana: Principal = { id: 'key:ana', scopes: new Set(['memory:write']) };
const ben: Principal = { id: 'key:ben', scopes: new Set(['memory:write']) };

function store() {
  const stored = new Map<string, number>();
  let counts = 0;
  const quota = createQuota({
    what: 'memories',
    setting: 'memory.quota',
    remedy: 'Erase some with memory_forget',
    limit: () => 10,
    async stored(principal) {
      counts += 1;
      return stored.get(principal) ?? 0;
    },
  });
  const put = (principal: Principal, bytes: number) =>
    quota.within(principal, bytes, async () => {
      await Promise.resolve();
      stored.set(principal.id, (stored.get(principal.id) ?? 0) + bytes);
    });
  return { stored, put, counts: () => counts };
}

test('a caller who keeps too much is told how much, and takes no room of others', async () => {
  const { put, stored } = store();
  for (let n = 0; n < 10; n++) await put(ana, MB);
  await expect(put(ana, MB)).rejects.toThrow(
    'You have 10.0 MB of memories, and this would exceed the limit of 10 MB for each caller. Nothing was stored. Erase some with memory_forget, or have the owner raise memory.quota.',
  );
  await put(ben, MB);
  stored.set(ana.id, 0);
  await put(ana, MB);
  expect(stored).toEqual(
    new Map([
      ['key:ana', MB],
      ['key:ben', MB],
    ]),
  );
});

test('what is being stored counts, too', async () => {
  const { put, stored } = store();
  const done = await Promise.allSettled(Array.from({ length: 50 }, () => put(ana, MB)));
  expect(done.filter(({ status }) => status === 'fulfilled').length).toBe(10);
  expect(stored.get(ana.id)).toBe(10 * MB);
});

test('work that failed takes no room', async () => {
  const quota = createQuota({ what: '', setting: '', remedy: '', limit: () => 1, stored: async () => 0 });
  const failing = async () => Promise.reject(new Error('no'));
  for (let n = 0; n < 5; n++) await expect(quota.within(ana, MB, failing)).rejects.toThrow('no');
});

test('administrators have no limit, and small callers are rarely counted', async () => {
  const { put, counts } = store();
  await put({ ...ana, scopes: new Set(['admin']) }, 100 * MB);
  for (let n = 0; n < 100; n++) await put(ben, 1000);
  expect(counts()).toBe(1);
});
