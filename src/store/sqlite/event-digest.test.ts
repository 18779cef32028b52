import { expect, test } from 'vitest';
import { digestOf, mayHold } from './event-digest.ts';
import type { Selection } from '../event-query.ts';

const any: Selection = { order: 'desc', limit: 1 };
const event = (n: number, type = 'tool.call_completed', data: object = {}) => ({
  at: n,
  trace_id: `trace-${n}`,
  event_type: type,
  status: 'success',
  data: JSON.stringify(data),
});
const digest = digestOf([
  event(10, 'tool.call_completed', { tool: 't', source: 's', principal: 'p' }),
  event(20, 'gateway.server_added', { backend: 'b' }),
]);

test.each<[string, Partial<Selection>]>([
  ['nothing in particular', {}],
  ['a trace', { trace: 'trace-10' }],
  ['a type', { type: 'gateway.server_added' }],
  ['a prefix', { typePrefix: 'gateway.' }],
  ['a status', { status: 'success' }],
  ['a source', { source: 's' }],
  ['a server', { source: 'b' }],
  ['a tool', { tool: 't' }],
  ['a principal', { principal: 'p' }],
  ['the audit', { audit: ['gateway.server_added'] }],
  ['a time within', { since: 20, until: 11 }],
  ['a text, which it does not cover', { text: 'x' }],
])('may contain %s', (_, filter) => {
  expect(mayHold(digest, { ...any, ...filter })).toBe(true);
});

test.each<[string, Partial<Selection>]>([
  ['another trace', { trace: 'trace-11' }],
  ['another type', { type: 'gateway.server' }],
  ['another prefix', { typePrefix: 'key.' }],
  ['another status', { status: 'failure' }],
  ['another source', { source: 't' }],
  ['another tool', { tool: 's' }],
  ['another principal', { principal: 'b' }],
  ['a later time', { since: 21 }],
  ['an earlier time', { until: 10 }],
  ['two filters of which one does not match', { tool: 't', principal: 'x' }],
])('cannot contain %s', (_, filter) => {
  expect(mayHold(digest, { ...any, ...filter })).toBe(false);
});

test('misses none of two thousand traces, with few false positives', () => {
  const full = digestOf(Array.from({ length: 2048 }, (_, n) => event(n)));
  const held = (n: number) => mayHold(full, { ...any, trace: `trace-${n}` });
  expect(Array.from({ length: 2048 }, (_, n) => held(n)).every(Boolean)).toBe(true);
  const wrong = Array.from({ length: 20_000 }, (_, n) => held(2048 + n)).filter(Boolean).length;
  expect(wrong / 20_000).toBeLessThan(0.01);
});

test('with too many different tools everything may match', () => {
  const wide = digestOf(Array.from({ length: 4000 }, (_, n) => event(n, 'tool.x', { tool: `t${n}` })));
  expect(mayHold(wide, { ...any, tool: 'none of them' })).toBe(true);
});

test('distinguishes calls of a tool from its failures', () => {
  const failed = { ...event(2, 'tool.call_failed', { tool: 'b', source: 's', principal: 'p' }), status: 'failure' };
  const mixed = digestOf([event(1, 'tool.call_completed', { tool: 'a', source: 's', principal: 'q' }), failed]);
  expect(mayHold(mixed, { ...any, status: 'failure', tool: 'b', source: 's', principal: 'p' })).toBe(true);
  expect(mayHold(mixed, { ...any, status: 'failure', tool: 'a' })).toBe(false);
  expect(mayHold(mixed, { ...any, type: 'tool.call_failed', principal: 'q' })).toBe(false);
  expect(mayHold(mixed, { ...any, status: 'success', tool: 'a' })).toBe(true);
});
