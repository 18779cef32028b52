import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service for workflows to call: it has moved from /old to /new. */
export async function startService(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(({ url = '' }, response) => {
    const found = url.startsWith('/new');
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ? { ok: true } : { message: 'this has moved to /new' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}
