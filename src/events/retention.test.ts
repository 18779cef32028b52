import { expect, test } from 'vitest';
import type { RecordedEvent } from '../kernel/events.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { sharedByReplicas } from '../../test/support/shared-by-replicas.ts';
import { startRetention } from './retention.ts';

const DAY = 86_400_000;
const daysAgo = (days: number): RecordedEvent => ({
  timestamp: new Date(Date.now() - days * DAY).toISOString(),
  trace_id: 't',
  event_type: 'x',
  status: 'success',
  data: { days },
});
const settings = () => ({ keepMs: 30 * DAY, max: 1000, maxBytes: 10_000_000 });

async function kept(events: Awaited<ReturnType<typeof openSqlite>>['events']) {
  return (await events.query({ order: 'asc', limit: 1000 })).events.map(({ data }) => data.days);
}

test('old events are deleted automatically, again and again', async () => {
  await using store = await openSqlite(':memory:');
  await store.events.append([daysAgo(40), daysAgo(31), daysAgo(29)]);
  await using _retention = startRetention({ store, settings }, { firstMs: 1, everyMs: 1 });
  await expect.poll(() => kept(store.events)).toEqual([29]);
  await store.events.prune(new Date());
  await store.events.append([daysAgo(35), daysAgo(1)]);
  await expect.poll(() => kept(store.events)).toEqual([1]);
});

test('keeps no more than the maximum', async () => {
  await using store = await openSqlite(':memory:');
  await store.events.append(Array.from({ length: 1500 }, () => daysAgo(1)));
  await using retention = startRetention({ store, settings });
  expect(await retention.run()).toBe(500);
  expect(await store.events.count()).toBe(1000);
});

test('keeps no more than the size', async () => {
  await using store = await openSqlite(':memory:');
  const large = { ...daysAgo(1), data: { text: 'x'.repeat(100_000) } };
  await store.events.append(Array.from({ length: 150 }, () => large));
  await using retention = startRetention({ store, settings });
  expect(await retention.run()).toBe(51);
  expect(await store.events.count()).toBe(99);
});

test('keeps events that a webhook waits for, until it has them', async () => {
  await using store = await openSqlite(':memory:');
  await store.events.append([daysAgo(40), daysAgo(39), daysAgo(38)]);
  const { first } = (await store.events.span()) ?? { first: 0 };
  let keepFrom: number | undefined = first + 1;
  await using retention = startRetention({ store, settings, keepFrom: () => keepFrom });
  expect(await retention.run()).toBe(1);
  expect(await kept(store.events)).toEqual([39, 38]);
  keepFrom = undefined;
  expect(await retention.run()).toBe(2);
});

test('prunes files by the same date, and continues after the store fails', async () => {
  await using store = await openSqlite(':memory:');
  const asked: Date[] = [];
  const broken = {
    shared: store.shared,
    events: { ...store.events, span: () => Promise.reject(new Error('busy')) },
  };
  await using retention = startRetention({
    store: broken,
    settings,
    pruneFiles: async (before) => asked.push(before),
  });
  expect(await retention.run()).toBe(0);
  expect(await retention.run()).toBe(0);
  expect(asked).toHaveLength(2);
  expect(Math.abs(Date.now() - 30 * DAY - (asked[0] as Date).getTime())).toBeLessThan(60_000);
});

test('an event dated in the future does not protect old ones', async () => {
  await using store = await openSqlite(':memory:');
  await store.events.append([daysAgo(-400), daysAgo(40), daysAgo(1)]);
  await using retention = startRetention({ store, settings });
  expect(await retention.run()).toBe(1);
  expect(await kept(store.events)).toEqual([-400, 1]);
});

test('of two replicas one deletes events, both their own files; the other goes on when the first stops', async () => {
  await using store = await openSqlite(':memory:');
  const [one, two] = sharedByReplicas();
  const files: string[] = [];
  const first = startRetention({
    store: { ...store, shared: one },
    settings,
    pruneFiles: async () => files.push('one'),
  });
  await using second = startRetention({
    store: { ...store, shared: two },
    settings,
    pruneFiles: async () => files.push('two'),
  });
  await store.events.append([daysAgo(40)]);
  expect(await second.run()).toBe(0);
  expect(await first.run()).toBe(1);
  await first[Symbol.asyncDispose]();
  await store.events.append([daysAgo(40)]);
  expect(await second.run()).toBe(1);
  expect(files).toEqual(['two', 'one', 'two']);
});
