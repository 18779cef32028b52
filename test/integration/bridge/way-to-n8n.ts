/**
 * A proxy in front of n8n that fails when the test wants it to.
 *
 *   await using way = await openWay(n8n.url);            // configure the gateway with way.url
 *   way.rule = ({ method, path }) => (path.startsWith('/mcp/') ? 'cut' : undefined);
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface Asked {
  readonly method: string;
  readonly path: string;
  /** Number of requests before this one. */
  readonly nth: number;
}

/**
 * `cut`: the connection breaks before n8n gets the request. `lost`: it breaks before the answer. `starting`: the answer of
 * an n8n that is starting. Otherwise a status instead of the answer, or a delay.
 */
export type Mishap = 'cut' | 'lost' | 'starting' | { status: number } | { ms: number } | undefined;

export interface Way extends AsyncDisposable {
  readonly url: string;
  rule: (asked: Asked) => Mishap;
  readonly asked: readonly Asked[];
}

export async function openWay(target: string): Promise<Way> {
  const asked: Asked[] = [];
  const server = createServer((incoming, response) => void serve(incoming, response));
  const way = { url: '', rule: (() => undefined) as Way['rule'], asked };

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const one = { method: incoming.method ?? '', path: incoming.url ?? '', nth: asked.length };
    asked.push(one);
    const mishap = way.rule(one);
    if (mishap === 'cut') return void incoming.socket.destroy();
    if (mishap === 'starting') return void response.end('n8n is starting up. Please wait');
    if (typeof mishap === 'object' && 'status' in mishap)
      return void response.writeHead(mishap.status).end('{"message":"as the test says"}');
    if (typeof mishap === 'object') await delay(mishap.ms);
    const { method, headers } = incoming;
    const passed = request(`${target}${incoming.url}`, { method, headers, agent: false }, (answer) => {
      if (mishap === 'lost') return void response.destroy();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    incoming.pipe(passed);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  way.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(way, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
