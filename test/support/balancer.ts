import { request as httpRequest, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** The replica that got each request, by its place in the list. */
  readonly went: number[];
}

/** A load balancer that sends each request to the next replica, as if there were no sessions. */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const went: number[] = [];
  const server = createServer((request, response) => {
    const index = went.length % urls.length;
    went.push(index);
    const sent = httpRequest(
      new URL(request.url ?? '/', urls[index]),
      { method: request.method, headers: request.headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      },
    );
    sent.on('error', () => response.destroy());
    response.on('close', () => sent.destroy());
    request.pipe(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    went,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
