import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Service } from './service.ts';
import { serveStream } from './stream.ts';
import { MODERN, meta } from './versions.ts';

const MB = 1024 * 1024;

function setUp(request: Service['request']) {
  const input = new PassThrough();
  const output = new PassThrough();
  const listeners = new Set<object>();
  const service: Service = {
    serverInfo: {},
    request,
    notification() {},
    opened() {},
    closed() {},
    async listen(listener) {
      listeners.add(listener);
      return { honoured: listener.filter, stop: () => void listeners.delete(listener) };
    },
    viewProblem: () => undefined,
  };
  const served = serveStream({
    input,
    output,
    service,
    principal: { id: 'local', scopes: 'all' },
    view: {},
    id: 'test',
  });
  const _meta = { [meta.protocolVersion]: MODERN, [meta.clientCapabilities]: {} };
  const send = (id: number, method: string, params: object = {}) =>
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } })}\n`);
  let seen = '';
  const answers = () => {
    seen += String(output.read() ?? '');
    return seen
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id?: number; error?: { message: string } });
  };
  return { output, served, send, answers, listeners };
}

test('disconnects a client that does not read its notifications', async () => {
  const { output, served, send } = setUp(async (_, exchange) => {
    for (let n = 0; n < 64; n++) exchange.notify('notifications/message', { data: 'x'.repeat(MB) });
    return { result: {} };
  });
  send(1, 'tools/call');
  await served.closed;
  expect(output.destroyed).toBe(true);
  expect(output.writableLength).toBeLessThan(20 * MB);
});

test('limits requests in flight and subscriptions per client', async () => {
  const { send, answers, listeners } = setUp(() => new Promise(() => {}));
  const notifications = { toolsListChanged: true };
  for (let id = 0; id < 1001; id++) send(id, 'tools/call');
  for (let id = 2000; id < 2101; id++) send(id, 'subscriptions/listen', { notifications });
  // A subscription that is already open is refused.
  send(2000, 'subscriptions/listen', { notifications });
  await expect.poll(() => answers().filter(({ error }) => error !== undefined)).toHaveLength(3);
  expect(answers().flatMap(({ id, error }) => (error ? [[id, error.message]] : []))).toEqual([
    [1000, expect.stringContaining('1000 requests')],
    [2100, expect.stringContaining('100 subscriptions')],
    [2000, expect.stringContaining('already open')],
  ]);
  expect(listeners.size).toBe(100);
});
