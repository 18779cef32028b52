import { expect, test } from 'vitest';
import { bodyOf, deliveryId, deliveryTrace, eventJson, originOf, signature } from './envelope.ts';

const origin = originOf(Buffer.from(Array.from({ length: 32 }, (_, index) => index)));
const event = (id: number) => ({
  id,
  at: Date.UTC(2026, 10, 15),
  trace_id: 'a"b',
  event_type: 'x',
  status: 'success',
  data: '{"n":1.0,"ü":"\\u00fc"}',
});

test('an event is sent as it was stored, with an id of its own', () => {
  const text = eventJson(event(7), origin);
  expect(text).toContain('"data":{"n":1.0,"ü":"\\u00fc"}}');
  expect(JSON.parse(text)).toEqual({
    id: '00010203-7',
    timestamp: '2026-11-15T00:00:00.000Z',
    trace_id: 'a"b',
    event: 'x',
    event_type: 'x',
    status: 'success',
    data: { n: 1, ü: 'ü' },
  });
});

test('the delivery id depends on its webhook and events only', () => {
  const id = deliveryId('w', [event(1), event(2)], origin);
  expect(id).toMatch(/^[\da-f]{32}$/);
  expect(deliveryId('w', [event(1), event(2)], origin)).toBe(id);
  expect(deliveryId('w', [event(1)], origin)).not.toBe(id);
  expect(deliveryId('v', [event(1), event(2)], origin)).not.toBe(id);
  expect(deliveryId('w', [event(12)], origin)).not.toBe(deliveryId('w', [event(1), event(2)], origin));
});

test('a single event is the body itself, or a list of one', () => {
  expect(bodyOf('d', ['{}'], true)).toBe('{}');
  expect(bodyOf('d', ['{}'], false)).toBe('{"delivery":"d","events":[{}]}');
  expect(JSON.parse(bodyOf('d', ['{"a":1}', '{"b":2}'], false))).toEqual({
    delivery: 'd',
    events: [{ a: 1 }, { b: 2 }],
  });
});

test('the signature covers the time and the body', () => {
  // echo -n '1700000000.{"a":1}' | openssl dgst -sha256 -hmac secret
  expect(signature('secret', '1700000000', '{"a":1}')).toBe(
    'sha256=49f24e537407743fa4a0242bb63b94b9a47ee99cbbe071ccd8a22550ae411686',
  );
});

test('the trace of a delivery starts with the prefix of this gateway', () => {
  const [, trace] = deliveryTrace(origin).split('-');
  expect(trace).toMatch(/^08090a0b0c0d0e0f[\da-f]{16}$/);
  expect(deliveryTrace(origin)).not.toBe(deliveryTrace(origin));
});
