import { expect, test, vi } from 'vitest';
import type { SseEvent } from '../wire/sse.ts';
import { serverEvents } from './server-events.ts';

async function* bytes(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function read(body: AsyncIterable<Buffer>): Promise<SseEvent[]> {
  const seen: SseEvent[] = [];
  for await (const event of serverEvents(body)) seen.push(event);
  return seen;
}

test('events come out as they were sent, wherever the chunks are cut', async () => {
  const text = 'data: {"answer": "für"}\r\n\r\n: comment\n\nevent: ping\n\nevent: done\ndata: a\ndata: b\n\n';
  const whole = Buffer.from(text);
  for (let cut = 0; cut <= whole.length; cut += 1) {
    const parts = (async function* () {
      yield whole.subarray(0, cut);
      yield whole.subarray(cut);
    })();
    expect(await read(parts)).toEqual([{ data: '{"answer": "für"}' }, { event: 'done', data: 'a\nb' }]);
  }
});

test('an event is there before the next chunk is', async () => {
  const asked = vi.fn<() => void>();
  const body = (async function* () {
    yield Buffer.from('data: first\n\ndata: sec');
    asked();
    yield Buffer.from('ond\n\n');
  })();
  const events = serverEvents(body);
  expect(await events.next()).toEqual({ done: false, value: { data: 'first' } });
  expect(asked).not.toHaveBeenCalled();
  expect(await events.next()).toEqual({ done: false, value: { data: 'second' } });
});

test('an event that its stream does not end is none', async () => {
  expect(await read(bytes('data: whole\n\ndata: ha'))).toEqual([{ data: 'whole' }]);
});

test('a reader that stops ends the stream', async () => {
  const closed = vi.fn<() => void>();
  const body = (async function* () {
    try {
      for (;;) yield Buffer.from('data: x\n\n');
    } finally {
      closed();
    }
  })();
  for await (const event of serverEvents(body)) {
    expect(event.data).toBe('x');
    break;
  }
  expect(closed).toHaveBeenCalledOnce();
});

test('an event of more than 4 MB is refused, after those before it', async () => {
  const events = serverEvents(bytes('data: small\n\n', `data: ${'x'.repeat(4_100_000)}`, '\n\ndata: after\n\n'));
  expect(await events.next()).toMatchObject({ value: { data: 'small' } });
  await expect(events.next()).rejects.toThrow('more than 4 MB');

  const together = serverEvents(bytes(`data: small\n\ndata: ${'x'.repeat(4_100_000)}\n\ndata: after\n\n`));
  expect(await together.next()).toMatchObject({ value: { data: 'small' } });
  await expect(together.next()).rejects.toThrow('more than 4 MB');
});

test('an error of the stream is passed on', async () => {
  const body = (async function* () {
    yield Buffer.from('data: one\n\n');
    throw new Error('aborted');
  })();
  await expect(read(body)).rejects.toThrow('aborted');
});
