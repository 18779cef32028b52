import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSseReader } from '../../../src/wire/sse.ts';
import {
  callTool,
  connectV2,
  type Json,
  type LocalReference,
  send,
  startGateway,
  startReference,
  type TestGateway,
} from '../harness.ts';

let reference: LocalReference;
let gateway: TestGateway;

beforeAll(async () => {
  reference = await startReference('http', 'both');
  gateway = await startGateway({ gateway: { allowInternalUrls: true }, mcpServers: { ref: reference.entry } });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
});

interface Seen {
  id?: string;
  event?: string;
  data: { event_type: string; data: Json } & Json;
}

/** GET /api/v1/events as a stream. `seen` grows while it is open. */
async function listen(query = '', headers: Record<string, string> = {}) {
  const stop = new AbortController();
  const response = await fetch(`${gateway.url}/api/v1/events${query}`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: stop.signal,
  });
  const seen: Seen[] = [];
  const ended = (async () => {
    const read = createSseReader({
      limit: 1_000_000,
      onEvent: ({ id, event, data }) =>
        void seen.push({
          ...(id !== undefined && { id }),
          ...(event !== undefined && { event }),
          data: JSON.parse(data) as Seen['data'],
        }),
      onTooLong() {},
    });
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) read(Buffer.from(chunk));
  })().catch(() => {});
  return {
    response,
    seen,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

/** Asks for the stream and hangs up before it can start. */
function hangUp(): Promise<void> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/event-stream\r\n\r\n`, () =>
        socket.resetAndDestroy(),
      );
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
}

async function echo(times: number): Promise<void> {
  await using client = await connectV2(gateway, { era: 'modern' });
  for (let i = 0; i < times; i++) await callTool(client, 'ref__echo', { text: `${i}` });
}

describe('GET /api/v1/events', () => {
  test.each([
    ['hang up before it has begun', hangUp],
    [
      'send a HEAD request',
      async () => {
        const response = await fetch(`${gateway.url}/api/v1/events`, {
          method: 'HEAD',
          headers: { accept: 'text/event-stream' },
        });
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toBe('text/event-stream');
      },
    ],
  ])('does not count streams of clients that %s', async (_, leave) => {
    for (let i = 0; i < 105; i++) await leave();
    await expect
      .poll(async () => {
        await using stream = await listen();
        return stream.response.status;
      })
      .toBe(200);
  });

  test('answers a page as JSON, with the filters of get_events and a cursor to the next page', async () => {
    await echo(5);
    await gateway.runtime.events.flush();
    const path = `${gateway.url}/api/v1/events?event_type=tool.*&tool=ref__echo&limit=4`;
    const first = JSON.parse((await send(path)).text) as { events: (Json & { id: number })[]; cursor: string };
    expect(first.events).toHaveLength(4);
    expect(Object.keys(first.events[0] as Json)).toEqual([
      'id',
      'timestamp',
      'trace_id',
      'event_type',
      'status',
      'data',
    ]);
    const second = JSON.parse((await send(`${path}&cursor=${first.cursor}`)).text) as typeof first;
    expect(second.events[0]?.id).toBeLessThan(first.events.at(-1)?.id as number);
    const oldest = JSON.parse((await send(`${gateway.url}/api/v1/events?order=asc&limit=1`)).text) as typeof first;
    expect(oldest.events[0]?.event_type).toBe('gateway.backend_registered');
  });

  test('answers one event by its id', async () => {
    await echo(1);
    await gateway.runtime.events.flush();
    const get = async (id: string) => {
      const { status, text, headers } = await send(`${gateway.url}/api/v1/events/${id}`);
      return { status, headers, body: JSON.parse(text) as Json };
    };
    const page = JSON.parse((await send(`${gateway.url}/api/v1/events?limit=3`)).text) as {
      events: (Json & { id: number })[];
    };
    expect(page.events).toHaveLength(3);
    for (const event of page.events) {
      const found = await get(String(event.id));
      expect(found.body).toEqual(event);
      expect(found.headers['cache-control']).toBe('no-store');
    }
    expect(await get('999999999')).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining('No event 999999999') as string } },
    });
    for (const id of ['0', '-1', '1.5', 'x', '__proto__', '1'.repeat(30)]) expect((await get(id)).status).toBe(400);
  });

  test.each([
    ['limit=x', 'limit'],
    ['limit=5000', 'limit'],
    ['since=yesterday', 'Write an ISO time'],
    ['staus=failure', 'staus'],
    ['status=bad', 'status'],
    ['cursor=zzz', 'cursor'],
    ['event_type=a*b', 'type may contain one *'],
  ])('%s is refused with the reason', async (query, words) => {
    const { status, text } = await send(`${gateway.url}/api/v1/events?${query}`);
    expect(status).toBe(400);
    expect(text).toContain(words);
  });

  test('streams events as they happen', async () => {
    await using stream = await listen('?event_type=tool.call_completed&tool=ref__echo');
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    await echo(3);
    await expect.poll(() => stream.seen.length).toBe(3);
    expect(stream.seen[0]?.data).toMatchObject({
      event_type: 'tool.call_completed',
      status: 'success',
      data: { tool: 'ref__echo', source: 'ref', principal: 'local' },
    });
  });

  test('resumes after Last-Event-ID without gaps or duplicates, however often the client is cut off', async () => {
    const ids: number[] = [];
    const { last } = (await gateway.runtime.store.events.span()) ?? { last: 0 };
    let calls = Promise.resolve();
    for (let round = 0; round < 4; round++) {
      calls = calls.then(() => echo(10));
      await using stream = await listen('?tool=ref__echo', { 'last-event-id': String(ids.at(-1) ?? last) });
      await expect.poll(() => stream.seen.length).toBeGreaterThan(0);
      ids.push(...stream.seen.map(({ id }) => Number(id)));
    }
    await calls;
    await gateway.runtime.events.flush();
    await using rest = await listen('?tool=ref__echo', { 'last-event-id': String(ids.at(-1)) });
    await expect.poll(() => ids.length + rest.seen.length).toBe(80);
    const { events } = await gateway.runtime.store.events.follow({ tool: 'ref__echo' }, last);
    expect([...ids, ...rest.seen.map(({ id }) => Number(id))]).toEqual(events.map(({ id }) => id));
  });

  test('refuses an invalid Last-Event-ID or filter before it streams', async () => {
    const headers = { accept: 'text/event-stream' };
    const wrongId = await send(`${gateway.url}/api/v1/events`, { headers: { ...headers, 'last-event-id': 'abc' } });
    expect(wrongId.status).toBe(400);
    const wrongFilter = await send(`${gateway.url}/api/v1/events?since=never`, { headers });
    expect(wrongFilter.status).toBe(400);
  });

  test('clients that disconnect make room for others', async () => {
    for (let i = 0; i < 105; i++) {
      await using stream = await listen();
      expect(stream.response.status).toBe(200);
    }
    const open = await Promise.all(Array.from({ length: 60 }, () => listen()));
    expect(open.map(({ response }) => response.status)).toEqual(open.map(() => 200));
    const more = await Promise.all(Array.from({ length: 60 }, () => listen()));
    expect(more.filter(({ response }) => response.status === 429).length).toBeGreaterThan(0);
    await Promise.all([...open, ...more].map((stream) => stream[Symbol.asyncDispose]()));
    await expect
      .poll(async () => {
        await using stream = await listen();
        return stream.response.status;
      })
      .toBe(200);
  });
});
