import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that serves another server below a path which that server never sees: `http://127.0.0.1:PORT/PREFIX/`. */
export async function startPrefixProxy(target: string, prefix: string) {
  const server = createServer((request, response) => {
    const inside = request.url?.startsWith(`${prefix}/`) ? request.url.slice(prefix.length) : undefined;
    if (inside === undefined) return void response.writeHead(404).end();
    const { method, headers } = request;
    const asked = forward(new URL(inside, target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    response.on('close', () => asked.destroy());
    request.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
