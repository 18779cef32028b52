import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileJson, hostileName, hostileObject } from '../../test/support/hostile.ts';
import { eventInLine } from './line.ts';

const now = new Date('2026-11-15T12:00:00.000Z');
const read = (line: unknown, redact = (text: string) => text) =>
  eventInLine(Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)), 'events.jsonl', redact, now);

test('the smallest valid event', () => {
  expect(read({ event: 'content.generated' })).toEqual({
    timestamp: now.toISOString(),
    trace_id: expect.stringMatching(/^[\da-f]{32}$/) as string,
    event_type: 'content.generated',
    status: 'success',
    data: { watched: 'events.jsonl' },
  });
});

test('event_type overrides event, which is kept in the data', () => {
  expect(read({ event_type: 'a', event: 'b' })).toMatchObject({ event_type: 'a', data: { event: 'b' } });
});

test('other keys go into the data, and keys of the data win', () => {
  const { data } = read({ event: 'x', a: 1, b: 2, data: { b: 3 } }) ?? {};
  expect(data).toEqual({ a: 1, b: 3, watched: 'events.jsonl' });
  expect(read({ event: 'x', data: [1] })?.data).toEqual({ data: [1], watched: 'events.jsonl' });
  expect(read({ event: 'x', data: { watched: 'forged' } })?.data.watched).toBe('events.jsonl');
});

test.each([
  ['2026-11-15T01:00:00+01:00', '2026-11-15T00:00:00.000Z'],
  [1_763_164_800, '2025-11-15T00:00:00.000Z'],
  [1_763_164_800_123, '2025-11-15T00:00:00.123Z'],
  ['yesterday', now.toISOString()],
  [null, now.toISOString()],
  [1e300, now.toISOString()],
])('the time %j', (timestamp, expected) => {
  expect(read({ event: 'x', timestamp })?.timestamp).toBe(expected);
});

test.each([
  ['success', 'success', undefined],
  ['FAILED', 'failure', 'FAILED'],
  ['started', 'pending', 'started'],
  ['odd', 'success', 'odd'],
  [3, 'success', 3],
])('the status %j', (status, expected, kept) => {
  const event = read({ event: 'x', status });
  expect(event?.status).toBe(expected);
  expect(event?.data.status).toBe(kept);
});

test('an invalid trace id is replaced', () => {
  expect(read({ event: 'x', trace_id: 'abc' })?.trace_id).toBe('abc');
  for (const trace_id of [5, '', 'x'.repeat(129)]) {
    expect(read({ event: 'x', trace_id })?.trace_id).toMatch(/^[\da-f]{32}$/);
  }
});

test.each(['', 'x', '[]', 'null', '5', '{}', '{"event":null}', '{"event":""}', `{"event":"${'x'.repeat(201)}"}`])(
  '%s is not an event',
  (line) => {
    expect(read(line)).toBeUndefined();
  },
);

test('invalid UTF-8 is not an event', () => {
  const bytes = Buffer.from([...Buffer.from('{"event":"'), 0xc3, 0x28, ...Buffer.from('"}')]);
  expect(eventInLine(bytes, 'f', (text) => text)).toBeUndefined();
});

test('skips a byte order mark and redacts secrets', () => {
  const redact = (text: string) => text.replaceAll('hunter22', '[redacted]');
  expect(read('\uFEFF{"event":"x","key":"hunter22"}', redact)?.data.key).toBe('[redacted]');
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('the status %s is unknown', (status) => {
  const event = eventInLine(Buffer.from(JSON.stringify({ event: 'a', status })), 'f', (text) => text);
  expect(event).toMatchObject({ status: 'success', data: { status, watched: 'f' } });
});

test('any line gives a valid event or none', () => {
  const key = fc.constantFrom('timestamp', 'trace_id', 'event', 'event_type', 'status', 'data');
  const line = fc
    .tuple(fc.dictionary(key, hostileJson), hostileObject)
    .map(([known, others]) => JSON.stringify({ event: 'a', ...others, ...known }));
  fc.assert(
    fc.property(fc.oneof(line, hostileName), (text) => {
      const event = eventInLine(Buffer.from(text), 'f', (same) => same);
      if (!event) return;
      expect(['success', 'failure', 'pending']).toContain(event.status);
      expect(new Date(event.timestamp).toISOString()).toBe(event.timestamp);
      expect(event.data.watched).toBe('f');
    }),
  );
});
