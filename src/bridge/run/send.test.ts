import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createN8nClient } from '../../n8n/client/client.ts';
import { send } from './send.ts';

async function serving(listener: (...given: Parameters<RequestListener>) => unknown) {
  const server = createServer((...given) => void listener(...given)).listen(0, '127.0.0.1');
  await new Promise((ready) => server.once('listening', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    client: createN8nClient('default', { url, timeoutMs: 1000 }),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const never = new AbortController().signal;
const post = { method: 'POST', path: '/webhook/x', body: { a: 'é' } };

describe('a request to what n8n offers to the world', () => {
  test('carries JSON or a form, and the headers, and never the key', async () => {
    const seen: unknown[] = [];
    using server = await serving(async (request, response) => {
      seen.push([
        request.method,
        request.url,
        request.headers['content-type'],
        request.headers['x-n8n-api-key'],
        await text(request),
      ]);
      response.end('ok');
    });
    await send(server.client, { ...post, query: { q: 'a b' } }, { traceparent: 't' }, never);
    const form = new FormData();
    form.set('field-0', 'x');
    await send(server.client, { ...post, body: form }, {}, never);
    await send(server.client, { method: 'GET', path: '/webhook/x' }, {}, never);
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
    ]);
  });

  test('that was refused has not run; one that was broken off may have', async () => {
    const gone = createN8nClient('default', { url: 'http://127.0.0.1:9', timeoutMs: 1000 });
    await expect(send(gone, post, {}, never)).rejects.toMatchObject({ code: 'unavailable', data: { begun: false } });
    for (const listener of [
      ((request) => request.socket.destroy()) satisfies RequestListener,
      ((_, response) =>
        response
          .writeHead(200, { 'content-length': 10 })
          .write('half', () => response.destroy())) satisfies RequestListener,
    ]) {
      using server = await serving(listener);
      await expect(send(server.client, post, {}, never)).rejects.toMatchObject({
        code: 'unavailable',
        data: { begun: true },
        message: expect.stringContaining('may have run in part'),
      });
    }
  });

  test('is read as far as anybody can use it', async () => {
    using server = await serving((_, response) => {
      const chunk = Buffer.alloc(1024 * 1024);
      const more = () => response.write(chunk, (error) => error ?? more());
      more();
    });
    const answer = await send(server.client, post, {}, never);
    expect(answer.cut).toBe(true);
    expect(answer.bytes.length).toBeLessThan(18 * 1024 * 1024);
  });

  test('ends when it is taken back', async () => {
    const stop = new AbortController();
    using server = await serving(() => stop.abort());
    await expect(send(server.client, post, {}, stop.signal)).rejects.toThrow('aborted');
  });
});
