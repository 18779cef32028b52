import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { N8nClient } from '../client/client.ts';
import { callWeb } from './web-call.ts';

test('what an n8n says while it is only starting is not what the workflow answers', async () => {
  const server = createServer((_, response) => void response.end('n8n is starting up. Please wait'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = { name: 'default', url, headers: {}, timeoutMs: 5000 };
  const client = { name: 'default', url, plain: { address } } as unknown as N8nClient;
  const call = { method: 'POST', path: '/webhook/x', timeoutMs: 5000, signal: new AbortController().signal };
  try {
    await expect(callWeb(client, call)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('The workflow did not run'),
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
