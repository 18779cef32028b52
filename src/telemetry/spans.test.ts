import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import type { Callable } from '../kernel/callable.ts';
import { AppError } from '../kernel/errors.ts';
import type { CallContext } from '../kernel/source.ts';
import { type Trace, traceFrom } from '../kernel/trace.ts';
import { createSpans } from './spans.ts';

function spans(isSampled: (trace: Trace) => boolean = () => true) {
  const ended: ReadableSpan[] = [];
  const made = createSpans({
    ended: (span) => ended.push(span),
    isSampled,
    redact: (text) => text.replaceAll('secret', '[redacted]'),
    resource: {} as ReadableSpan['resource'],
    scope: { name: 'test' },
  });
  return { ...made, ended };
}

function context(trace = traceFrom()): CallContext {
  return { trace, client: { era: 'legacy', version: '2025-11-25', capabilities: {}, session: 'stdio' } } as CallContext;
}

const echo = { name: 'ref__echo', source: 'ref' } as Callable;
const fine = { result: {} };

test('a request is a span with the id its call already has', () => {
  const { serves, observer, ended } = spans();
  const asked = context();
  const end = serves({ id: 7, method: 'tools/call', params: { name: 'ref__echo' } }, asked);
  observer.begins(echo, { name: 'ref__echo' }, asked)?.({ ms: 1, state: 'completed', outcome: fine });
  expect(ended).toEqual([]);
  end(fine);
  expect(ended).toHaveLength(1);
  expect(ended[0]?.name).toBe('tools/call ref__echo');
  expect(ended[0]?.spanContext()).toMatchObject({ traceId: asked.trace.traceId, spanId: asked.trace.spanId });
  expect(ended[0]?.attributes).toMatchObject({
    'jsonrpc.request.id': '7',
    'network.transport': 'pipe',
    'sluice.source': 'ref',
  });
  const [seconds = 0] = ended[0]?.startTime ?? [];
  expect(Math.abs(seconds - Date.now() / 1000)).toBeLessThan(5);
});

test('a call without a request is a span of its own', () => {
  const { observer, passesOn, ended } = spans();
  const asked = context();
  const end = observer.begins(echo, { name: 'ref__echo' }, asked);
  const passed = { backend: 'ref', method: 'tools/call', name: 'echo', transport: 'http', version: '2026-07-28' };
  const step = passesOn({ ...passed, url: 'https://example.com/mcp' }, asked);
  step.ended(new AppError('timeout', 'The server was silent: secret'));
  end?.({ ms: 1, state: 'failed', reason: 'timeout', outcome: { result: { isError: true } } });
  expect(ended.map(({ name, kind }) => [name, kind])).toEqual([
    ['tools/call echo', 2],
    ['execute_tool ref__echo', 0],
  ]);
  expect(ended[0]?.parentSpanContext?.spanId).toBe(asked.trace.spanId);
  expect(ended[0]?.attributes).toMatchObject({
    'error.type': 'timeout',
    'server.address': 'example.com',
    'server.port': 443,
  });
  expect(ended[1]?.attributes).toMatchObject({ 'error.type': 'tool_error', 'sluice.reason': 'timeout' });
  expect(JSON.stringify(ended.map(({ attributes, status }) => [attributes, status]))).not.toContain('silent');
});

test('the backend gets the calling span, and the decision not to keep the trace', () => {
  const to = { backend: 'b', method: 'tools/call', name: 'x', transport: 'stdio', version: '1' };
  const asked = context();
  const kept = spans().passesOn(to, asked);
  expect(kept.trace).toMatchObject({ traceId: asked.trace.traceId, parentId: asked.trace.spanId, sampled: true });
  const { passesOn, serves, ended } = spans(() => false);
  serves({ id: 1, method: 'tools/list' }, asked)(fine);
  const dropped = passesOn(to, asked);
  dropped.ended(fine);
  expect(dropped.trace).toEqual({ ...asked.trace, sampled: false });
  expect(ended).toEqual([]);
});

test('a URI is recorded without its query and without secrets', () => {
  const { serves, ended } = spans();
  serves({ id: 1, method: 'resources/read', params: { uri: 'db://secret@host/table?key=1' } }, context())(fine);
  expect(ended[0]).toMatchObject({
    name: 'resources/read',
    attributes: { 'mcp.resource.uri': 'db://[redacted]@host/table' },
  });
});

test('a URI that does not exist is not recorded', () => {
  const { serves, ended } = spans();
  const read = { id: 1, method: 'resources/read', params: { uri: 'db://anything' } };
  serves(read, context())({ error: { code: -32602, message: 'no' } });
  expect(ended[0]?.attributes).not.toHaveProperty(['mcp.resource.uri']);
});

test('a span ends once', () => {
  const { serves, ended } = spans();
  const end = serves({ id: 1, method: 'ping' }, context());
  end(fine);
  end(fine);
  expect(ended).toHaveLength(1);
});
