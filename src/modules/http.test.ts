import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { HttpError, httpTo, segment } from './http.ts';

async function serving(listener: RequestListener, path = '') {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const http = httpTo({ base: `http://user:p%40ss@127.0.0.1:${port}${path}`, mostBytes: 1000 });
  return {
    http,
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
    },
  };
}

test('asks below the base, with credentials, query and body', async () => {
  await using service = await serving(({ url, method, headers }, response) => {
    response.end(JSON.stringify({ url, method, authorization: headers.authorization }));
  }, '/base/');
  const answer = await service.http.json(z.record(z.string(), z.string()), `/a/${segment('b/../c')}`, {
    method: 'POST',
    query: { x: 1, none: undefined, many: ['a', 'b'] },
    body: {},
  });
  expect(answer).toEqual({
    url: '/base/a/b%2F..%2Fc?x=1&many=a&many=b',
    method: 'POST',
    authorization: `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
  });
});

test.each(['', '.', '..', 'half \ud83d'])('"%s" is not a name', (name) => {
  expect(() => segment(name)).toThrow('is not a name');
});

test('a status that is no success is an error with what was said', async () => {
  await using service = await serving((_, response) => response.writeHead(404).end('{"message":"no such thing"}'));
  const failure = await service.http.text('/').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(HttpError);
  expect(failure).toMatchObject({ status: 404, body: '{"message":"no such thing"}' });
});

test.each([
  ['a login page', '<html>'],
  ['another shape', '{"b":1}'],
])('%s is not what the API documents', async (_, said) => {
  await using service = await serving((_request, response) => response.end(said));
  await expect(service.http.json(z.object({ a: z.number() }), '/')).rejects.toThrow('Check that the URL leads');
});

test('an answer that is too long is refused, and not read to its end', async () => {
  await using service = await serving((_, response) => {
    response.on('error', () => {});
    response.end('x'.repeat(50_000_000));
  });
  await expect(service.http.text('/')).rejects.toThrow('answered with more than 1 KB. Ask for less.');
});
