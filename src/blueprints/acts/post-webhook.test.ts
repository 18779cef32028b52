import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Action, Origin } from '../definition/shape.ts';
import { postWebhook } from './post-webhook.ts';

const seen: IncomingMessage[] = [];
const server = createServer((request, response) => {
  seen.push(request);
  if (request.url === '/broken') return request.socket.destroy();
  if (request.url === '/away') response.writeHead(302, { location: '/' });
  return response.end(request.url === '/large' ? Buffer.alloc(10 * 1024 * 1024, 'x') : '{"ok":true}');
});
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => void seen.splice(0));

const post = (webhook: string, origin: Origin, more: object = {}) => {
  const action = { kind: 'webhook', webhook, method: 'POST', headers: {}, ...more } as Extract<
    Action,
    { kind: 'webhook' }
  >;
  const acting = {
    key: 'run:a',
    origin,
    timeoutMs: 5000,
    signal: AbortSignal.timeout(5000),
    mask: (text: string) => text,
  };
  return postWebhook(action, acting as never, { call: () => Promise.reject(new Error('not to n8n')) });
};

test.each(['store', 'vault'] as const)('a definition of the %s reaches nothing inside the network', async (origin) => {
  for (const host of ['127.0.0.1', 'localhost', '127.1', '[::1]', '[::ffff:127.0.0.1]', '0'])
    expect(await post(`http://${host}:${port}/`, origin)).toEqual({
      error: expect.stringMatching(/is inside this network\. .* put this one into a folder of blueprints\.folders\.$/),
      final: true,
    });
  expect(seen).toEqual([]);
});

test('a definition of a file does, and carries the key', async () => {
  expect(await post(`http://127.0.0.1:${port}/`, 'file')).toEqual({ result: { ok: true } });
  expect(seen[0]?.headers).toMatchObject({ 'idempotency-key': 'run:a' });
});

test('headers are texts, whatever their expressions gave', async () => {
  await post(`http://127.0.0.1:${port}/`, 'file', {
    headers: { 'X-N': 5, 'X-L': ['a', 'b'], 'X-O': { a: 1 }, 'X-E': null },
  });
  expect(seen[0]?.headers).toMatchObject({ 'x-n': '5', 'x-l': '["a","b"]', 'x-o': '{"a":1}', 'x-e': '' });
});

test('redirects are not followed', async () => {
  expect(await post(`http://127.0.0.1:${port}/away`, 'file')).toMatchObject({
    error: expect.stringContaining('Redirects are not followed.'),
  });
  expect(seen).toHaveLength(1);
});

test('an answer of 10 MB is a success of which only the size is known', async () => {
  expect(await post(`http://127.0.0.1:${port}/large`, 'file')).toEqual({
    result: { too_large: true, bytes: expect.any(Number) },
  });
});

test('a connection that breaks leaves open whether it took effect', async () => {
  expect(await post(`http://127.0.0.1:${port}/broken`, 'file')).toMatchObject({ unsure: true });
});
