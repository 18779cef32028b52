import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../test/validation/cpu-time.ts';
import { createSseReader, type SseEvent, sseFrame, sseKeepAlive, ssePrime } from './sse.ts';

function reading(limit = 10_000) {
  const events: SseEvent[] = [];
  const retries: number[] = [];
  const tooLong: { head: string; tail: string; bytes: number }[] = [];
  const reader = createSseReader({
    limit,
    onEvent: (event) => events.push(event),
    onRetry: (ms) => retries.push(ms),
    onTooLong: (ends) => tooLong.push(ends),
  });
  return {
    events,
    retries,
    tooLong,
    read: (...chunks: (string | Buffer)[]) => chunks.forEach((chunk) => reader(Buffer.from(chunk as string))),
  };
}

test('reads back what was framed', () => {
  const { events, read } = reading();
  read(
    sseFrame('{"a":1}'),
    sseFrame('{"b":2}', 'id-2'),
    sseKeepAlive,
    ssePrime('id-3'),
    sseFrame('/message', undefined, 'endpoint'),
  );
  expect(events).toEqual([
    { event: 'message', data: '{"a":1}' },
    { event: 'message', data: '{"b":2}', id: 'id-2' },
    { data: '', id: 'id-3' },
    { event: 'endpoint', data: '/message' },
  ]);
});

describe('reading a stream', () => {
  test.each([
    ['LF', '\n'],
    ['CR', '\r'],
    ['CRLF', '\r\n'],
  ])('with %s as line endings, split anywhere', (_, end) => {
    const stream = [
      ': comment',
      'event: message',
      'id: 1',
      'data: one',
      'data:two',
      'data',
      '',
      'data: next',
      '',
      ': ',
    ].join(end);
    const expected = [{ event: 'message', data: 'one\ntwo\n', id: '1' }, { data: 'next' }];
    for (let size = 1; size <= stream.length; size++) {
      const { events, read } = reading();
      for (let at = 0; at < stream.length; at += size) read(stream.slice(at, at + size));
      expect({ size, events }).toEqual({ size, events: expected });
    }
  });

  test('a byte order mark counts only at the start, and is dropped there', () => {
    const { events, read } = reading();
    for (const byte of Buffer.from('\ufeffdata: \ufeffone\n\n\ufeffdata: two\n\n')) read(Buffer.of(byte));
    expect(events).toEqual([{ data: '\ufeffone' }]);
  });

  test('an event without data or without an end is ignored', () => {
    const { events, read } = reading();
    read('event: message\nid: 1\n\ndata: unfinished\n');
    expect(events).toEqual([]);
  });

  test('retry counts if it is a number', () => {
    const { retries, read } = reading();
    read('retry: 500\nretry: soon\nretry: -1\n\n');
    expect(retries).toEqual([500]);
  });

  test('ignores an id with a NUL and unknown fields, and removes only one space after the colon', () => {
    const { events, read } = reading();
    read('id: a\0b\nfoo: bar\ndata:  two spaces\n\n');
    expect(events).toEqual([{ data: ' two spaces' }]);
  });

  test('joins a character split between chunks', () => {
    const { events, read } = reading();
    for (const byte of Buffer.from('data: ü🎉\n\n')) read(Buffer.of(byte));
    expect(events).toEqual([{ data: 'ü🎉' }]);
  });

  test('an event over the limit is dropped and reported with its ends; the next one is read', () => {
    const { events, tooLong, read } = reading(1000);
    const huge = `{"id":7,${'x'.repeat(4000)},"end":1}`;
    read('id: 5\n', ...(`data: ${huge}\nid: 6\n\ndata: next\n\n`.match(/[^]{1,300}/g) ?? []));
    expect(tooLong).toEqual([
      { head: huge.slice(0, 512), tail: huge.slice(-512), bytes: expect.closeTo(huge.length, -2) as number },
    ]);
    read(...Array.from({ length: 4 }, () => `data: ${'y'.repeat(400)}\n`), '\n', 'data: last\n\n');
    expect(tooLong).toHaveLength(2);
    expect(events).toEqual([{ data: 'next' }, { data: 'last' }]);
  });

  test('a long line takes linear time', () => {
    const { events, read } = reading(64 * 1024 * 1024);
    const chunk = 'x'.repeat(16 * 1024);
    const { ms } = cpuTime(() => {
      read('data: ');
      for (let i = 0; i < 1024; i++) read(chunk);
      read('\n\n');
    });
    expect(events[0]?.data).toHaveLength(16 * 1024 * 1024);
    // Rescanning everything with every chunk would take well over ten seconds.
    expect(ms).toBeLessThan(3000);
  });
});
