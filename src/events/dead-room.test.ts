import { expect, test } from 'vitest';
import type { Fact } from '../kernel/facts.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { createDeadRoom } from './dead-room.ts';

const HOUR = 3_600_000;

async function withDead(count: number) {
  const store = await openSqlite(':memory:');
  await store.outbox.open('w');
  const event = { trace_id: 't', event_type: 'gateway.stopped', status: 'success' as const, data: {} };
  const timestamp = new Date().toISOString();
  await store.events.append(Array.from({ length: count }, () => ({ ...event, timestamp })));
  for (const row of await store.outbox.after(0, count)) await store.outbox.setAside('w', row, 'HTTP 400', 3);
  const facts: Fact[] = [];
  const room = createDeadRoom(
    'w',
    store.outbox,
    { record: (fact) => void facts.push(fact) },
    { most: 5, keepMs: HOUR },
  );
  return { store, room, facts, at: () => store.outbox.open('w') };
}

test('drops the oldest when there are too many, and records how many', async () => {
  const { store, room, facts, at } = await withDead(8);
  await using _store = store;
  const place = await at();
  await room.check(place);
  expect((await store.outbox.dead()).map(({ event }) => event.id)).toEqual([4, 5, 6, 7, 8]);
  expect(place.dead).toBe(5);
  expect(facts).toEqual([{ type: 'webhook.set_aside_dropped', webhook: 'w', events: 3 }]);
  expect(room.dropped()).toBe(3);
});

test('drops events that are too old, checking once an hour', async () => {
  const { store, room, facts, at } = await withDead(3);
  await using _store = store;
  const now = Date.now();
  await room.check(await at(), now);
  await room.check(await at(), now + HOUR - 1);
  expect(facts).toEqual([]);
  await room.check(await at(), now + HOUR + 60_000);
  expect(await store.outbox.dead()).toEqual([]);
  expect(room.dropped()).toBe(3);
});
