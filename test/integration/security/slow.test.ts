import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { RestDeps } from '../../../src/server/rest/deps.ts';
import { startServer } from '../../../src/server/server.ts';
import type { Service } from '../../../src/wire/service.ts';

/** Sends the start of a request, and returns what came back until the server closed the connection. */
function begin(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let seen = '';
    const socket = connect(Number(port), hostname, () => void socket.write(text));
    socket.on('data', (chunk) => {
      seen += chunk.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(seen));
  });
}

test.each([
  ['a header', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
  [
    'a handshake',
    'GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: ',
  ],
  ['a body', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'],
  [
    'a chunk',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{',
  ],
])('%s that never ends is cut off, while others are served', async (_, text) => {
  await using server = await startServer({
    service: { viewProblem: () => undefined } as unknown as Service,
    rest: {} as RestDeps,
    version: '0.0.0',
    port: 0,
    arrivalMs: 400,
    ready: () => true,
    routes: [],
    guard: {
      settings: () => ({ host: '127.0.0.1', open: true, allowedHosts: [], allowedOrigins: [], trustProxy: false }),
      authenticators: () => [],
      resource: () => '',
      challenge: () => 'Bearer',
      refused: () => {},
      count: () => undefined,
    },
  });
  const slow = begin(server.url, text);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  expect(await slow).toContain('408');
});
