import { expect, test } from 'vitest';
import { childOf, traceFrom, traceparent } from './trace.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

test("continues the caller's trace with our own span", () => {
  const trace = traceFrom({ traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, tracestate: 'a=1', baggage: 'k=v' });
  expect(trace).toMatchObject({ traceId: TRACE, sampled: true, tracestate: 'a=1', baggage: 'k=v' });
  expect(traceparent(trace)).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
  expect(trace.spanId).not.toBe('00f067aa0ba902b7');
});

test('does not sample what the caller does not sample', () => {
  expect(traceparent(traceFrom({ traceparent: `00-${TRACE}-00f067aa0ba902b7-00` }))).toMatch(/-00$/);
});

test.each([
  ['nothing', undefined],
  ['no text', 42],
  ['too short', '00-123-456-01'],
  ['capital letters, which W3C forbids', `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`],
  ['a trace id of zeros, which W3C forbids', '00-00000000000000000000000000000000-00f067aa0ba902b7-01'],
  ['a span id of zeros, which W3C forbids', `00-${TRACE}-0000000000000000-01`],
  ['the version that W3C forbids', `ff-${TRACE}-00f067aa0ba902b7-01`],
])('%s starts a new trace and drops the old context', (_, given) => {
  const trace = traceFrom({ traceparent: given, tracestate: 'a=1', baggage: 'k=v' });
  expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect([TRACE, '0'.repeat(32)]).not.toContain(trace.traceId);
  expect(trace).toEqual({ traceId: trace.traceId, spanId: trace.spanId, sampled: true });
});

test('ids do not repeat', () => {
  const traces = Array.from({ length: 1000 }, () => traceFrom());
  expect(new Set(traces.flatMap(({ traceId, spanId }) => [traceId, spanId])).size).toBe(2000);
});

test('a child has its own span and names its parent', () => {
  const trace = traceFrom({ traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, tracestate: 'a=1' });
  expect(trace.parentId).toBe('00f067aa0ba902b7');
  const step = childOf(trace, false);
  expect(step).toMatchObject({ traceId: TRACE, parentId: trace.spanId, sampled: false, tracestate: 'a=1' });
  expect(step.spanId).not.toBe(trace.spanId);
});
