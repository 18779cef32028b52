import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Acted } from './act.ts';
import { postWebhook } from './post-webhook.ts';

async function posted(listener: RequestListener): Promise<Acted> {
  await using server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { signal } = new AbortController();
  const principal = { id: 'local', scopes: 'all' } as const;
  return await postWebhook(
    { kind: 'webhook', webhook, method: 'POST', headers: {} },
    { key: 'run:step', principal, origin: 'file', trace: '', timeoutMs: 5000, signal },
    { call: () => Promise.reject(new Error('It calls no tool.')) },
  );
}

test('an answer of 10 MB is a success of which only the size is known', async () => {
  const acted = await posted((_, response) => response.end(Buffer.alloc(10 * 1024 * 1024, 'x')));
  expect(acted).toEqual({ result: { too_large: true, bytes: expect.any(Number) } });
});

test('a connection that breaks leaves open whether it took effect', async () => {
  expect(await posted((request) => request.socket.destroy())).toMatchObject({ unsure: true });
});
