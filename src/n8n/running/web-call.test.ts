import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createN8nClient } from '../client/client.ts';
import { callWeb } from './web-call.ts';

const { signal } = new AbortController();
const post = { method: 'POST', path: '/webhook/x' };

async function answering(status: number, text: string) {
  const keys: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    keys.push(headers['x-n8n-api-key']);
    response.writeHead(status, { 'content-type': text.startsWith('{') ? 'application/json' : 'text/html' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    client: createN8nClient('default', { url, apiKey: 'secret', timeoutMs: 5000 }),
    keys,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test.each([
  [200, 'n8n is starting up. Please wait'],
  [503, '{"message":"Database is not ready!"}'],
  [404, '<pre>Cannot POST /webhook/x</pre>'],
])('an n8n that is only starting has run nothing: %i %s', async (status, text) => {
  using server = await answering(status, text);
  await expect(callWeb(server.client, post, { signal })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('The workflow did not run'),
  });
});

test.each([
  [200, 'Database is not ready'],
  [404, '{"message":"not registered"}'],
  [200, ''],
])('returns the answer of a workflow as it is: %i %s', async (status, text) => {
  using server = await answering(status, text);
  const answer = await callWeb(server.client, post, { signal });
  expect([answer.status, new TextDecoder().decode(answer.bytes)]).toEqual([status, text]);
  expect(server.keys).toEqual([undefined]);
});
