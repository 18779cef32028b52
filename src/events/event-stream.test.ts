import { expect, test } from 'vitest';
import type { RecordedEvent } from '../kernel/events.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { eventStream } from './event-stream.ts';

const event = (n: number, data: Record<string, unknown> = {}): RecordedEvent => ({
  timestamp: new Date(n).toISOString(),
  trace_id: 't',
  event_type: n % 2 ? 'odd.x' : 'even.x',
  status: 'success',
  data: { n, ...data },
});

async function openStore() {
  const store = await openSqlite(':memory:');
  const listeners = new Set<() => void>();
  return {
    store,
    onStored(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    listeners,
    async append(events: RecordedEvent[]) {
      await store.events.append(events);
      for (const listener of listeners) listener();
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** Reads the blocks of an SSE stream, without comments. */
function blocks(stream: ReadableStream<Uint8Array>) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  return {
    reader,
    async next(): Promise<Record<string, string> | undefined> {
      while (true) {
        const end = seen.indexOf('\n\n');
        if (end === -1) {
          const { value, done } = await reader.read();
          if (done) return undefined;
          seen += value;
          continue;
        }
        const block = seen.slice(0, end);
        seen = seen.slice(end + 2);
        if (block.startsWith(':')) continue;
        return Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
      }
    },
  };
}

const numberOf = (block: Record<string, string> | undefined) =>
  (JSON.parse(block?.data ?? '{}') as RecordedEvent).data.n;
const never = new AbortController().signal;

test('starts with the next event and sends its id', async () => {
  await using place = await openStore();
  await place.append([event(1)]);
  const stream = blocks(eventStream(place, {}, undefined, never));
  const waiting = stream.next();
  await expect.poll(() => place.listeners.size).toBe(1);
  await place.append([event(2)]);
  const { id, data } = (await waiting) ?? {};
  expect(id).toMatch(/^\d+$/);
  expect(JSON.parse(data as string)).toEqual(event(2));
  await stream.reader.cancel();
  expect(place.listeners.size).toBe(0);
});

test('resumes after an id without gaps or duplicates, filtered, while more is recorded', async () => {
  await using place = await openStore();
  await place.append(Array.from({ length: 1000 }, (_, n) => event(n)));
  const stream = blocks(eventStream(place, { type: 'odd.*' }, 10, never));
  const seen: unknown[] = [];
  for (let n = 1000; seen.length < 600; n++) {
    if (n < 1300) await place.append([event(n)]);
    seen.push(numberOf(await stream.next()));
  }
  await stream.reader.cancel();
  // Ids start at 1, so the event after id 10 is number 10; the next odd one is 11.
  expect(seen).toEqual(Array.from({ length: 600 }, (_, i) => 11 + 2 * i));
});

test('an id that does not exist yet means: start now', async () => {
  await using place = await openStore();
  await place.append([event(1)]);
  const stream = blocks(eventStream(place, {}, 999_999, never));
  const waiting = stream.next();
  await expect.poll(() => place.listeners.size).toBe(1);
  await place.append([event(2)]);
  expect(numberOf(await waiting)).toBe(2);
  await stream.reader.cancel();
});

test('a reader that stalls is disconnected with a reason, and nothing piles up in memory', async () => {
  await using place = await openStore();
  await place.append(Array.from({ length: 2000 }, (_, n) => event(n, { text: 'x'.repeat(1000) })));
  let asked = 0;
  const counted = {
    ...place,
    store: {
      events: {
        ...place.store.events,
        follow: (...args: Parameters<typeof place.store.events.follow>) => {
          asked++;
          return place.store.events.follow(...args);
        },
      },
    },
  };
  let ended = 0;
  const stream = eventStream(counted, {}, 0, never, { heartbeatMs: 1, patienceMs: 20, onEnd: () => void ended++ });
  await expect.poll(() => ended).toBe(1);
  expect(asked).toBeLessThanOrEqual(2);
  // It no longer listens to the store.
  await expect.poll(() => place.listeners.size).toBe(0);
  const reader = blocks(stream);
  let last: Record<string, string> | undefined;
  for (let block = await reader.next(); block; block = await reader.next()) last = block;
  expect(last).toEqual({ event: 'end', data: expect.stringContaining('Last-Event-ID') as string });
});

test('ends when the gateway stops or its lifetime is over, and says why', async () => {
  await using place = await openStore();
  const stopping = new AbortController();
  const first = blocks(eventStream(place, {}, undefined, stopping.signal));
  const second = blocks(eventStream(place, {}, undefined, never, { heartbeatMs: 1, lifetimeMs: 5 }));
  const waiting = first.next();
  stopping.abort();
  expect(await waiting).toMatchObject({ event: 'end', data: expect.stringContaining('is stopping') as string });
  expect(await first.next()).toBeUndefined();
  expect(await second.next()).toMatchObject({ event: 'end', data: expect.stringContaining('maximum age') as string });
});

test('sends a heartbeat while nothing happens', async () => {
  await using place = await openStore();
  const reader = eventStream(place, {}, undefined, never, { heartbeatMs: 1 })
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let seen = '';
  while (!seen.includes(': alive\n\n')) seen += (await reader.read()).value;
  expect(seen).toMatch(/^: connected\n\n/);
  await reader.cancel();
});

test('a client that disconnects with unread events leaves no listener behind', async () => {
  await using place = await openStore();
  await place.append(Array.from({ length: 2000 }, (_, n) => event(n, { text: 'x'.repeat(1000) })));
  const stream = eventStream(place, {}, 0, never);
  await expect.poll(() => place.listeners.size).toBe(1);
  await stream.cancel();
  await expect.poll(() => place.listeners.size).toBe(0);
});
