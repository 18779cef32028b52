import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { send } from './send.ts';

async function serving(listener: (...given: Parameters<RequestListener>) => unknown) {
  const server = createServer((...given) => void listener(...given)).listen(0, '127.0.0.1');
  await new Promise((ready) => server.once('listening', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    keepAlive(ms: number): void {
      server.keepAliveTimeout = ms;
    },
    connections: () => promisify(server.getConnections.bind(server))(),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const MOST = 4 * 1024 * 1024;
const never = new AbortController().signal;
const post = { method: 'POST', path: '/webhook/x', body: { a: 'é' } };

describe('a request to a webhook, form or chat', () => {
  test('carries JSON, a form or a text, and the headers of the caller', async () => {
    const seen: unknown[] = [];
    using server = await serving(async (request, response) => {
      seen.push([
        request.method,
        request.url,
        request.headers['content-type'],
        request.headers.traceparent,
        await text(request),
      ]);
      response.end('ok');
    });
    await send(server.url, { ...post, query: { q: 'a b' } }, MOST, never);
    const form = new FormData();
    form.set('field-0', 'x');
    await send(server.url, { ...post, body: form }, MOST, never);
    await send(server.url, { method: 'GET', path: '/webhook/x' }, MOST, never);
    const own = { 'Content-Type': 'text/x', traceparent: 't' };
    await send(server.url, { ...post, body: 'plain' }, MOST, never);
    await send(server.url, { ...post, body: 'own', headers: own }, MOST, never);
    expect(seen).toEqual([
      ['POST', '/webhook/x?q=a+b', 'application/json', undefined, '{"a":"é"}'],
      [
        'POST',
        '/webhook/x',
        expect.stringMatching(/^multipart\/form-data; boundary=/),
        undefined,
        expect.stringContaining('name="field-0"'),
      ],
      ['GET', '/webhook/x', undefined, undefined, ''],
      ['POST', '/webhook/x', 'text/plain;charset=UTF-8', undefined, 'plain'],
      ['POST', '/webhook/x', 'text/x', 't', 'own'],
    ]);
  });

  test('does not reuse a connection that was idle for long, and waits as long as an answer takes', async () => {
    using server = await serving(async (request, response) => {
      if (request.url === '/webhook/slow') await delay(1500);
      response.end('ok');
    });
    server.keepAlive(60_000);
    const { status } = await send(server.url, { ...post, path: '/webhook/slow' }, MOST, never);
    expect(status).toBe(200);
    await expect.poll(server.connections).toBe(0);
  });

  test('is read only up to the limit', async () => {
    using server = await serving((_, response) => {
      const chunk = Buffer.alloc(1024 * 1024);
      const more = () => response.write(chunk, (error) => error ?? more());
      more();
    });
    const answer = await send(server.url, post, MOST, never);
    expect(answer.cut).toBe(true);
    expect(answer.bytes.length).toBeLessThan(MOST + 1024 * 1024);
  });

  test('ends when it is cancelled', async () => {
    const stop = new AbortController();
    using server = await serving(() => stop.abort());
    await expect(send(server.url, post, MOST, stop.signal)).rejects.toThrow('aborted');
  });
});
