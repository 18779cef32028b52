import http from 'node:http';
import type { Request } from './echo.ts';

type Answer = string | undefined;

/** The least an MCP server over HTTP does: one JSON message in, one JSON body out, 202 for notifications. */
export function serveJson(port: number, answer: (request: Request) => Answer | Promise<Answer>): void {
  http
    .createServer((incoming, outgoing) => {
      if (incoming.method !== 'POST') {
        outgoing.writeHead(incoming.method === 'DELETE' ? 200 : 405).end();
        return;
      }
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => void reply(Buffer.concat(chunks).toString(), outgoing));
    })
    .listen(port, '127.0.0.1');

  async function reply(text: string, outgoing: http.ServerResponse): Promise<void> {
    const body = await answer(JSON.parse(text) as Request);
    if (body === undefined) outgoing.writeHead(202).end();
    else
      outgoing
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
        .end(body);
  }
}
