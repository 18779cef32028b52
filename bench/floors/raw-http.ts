// Floor: the least an aggregator of an HTTP server must do: parse, strip the prefix, relay over a keep-alive connection.
import http from 'node:http';
import { parseArgs } from 'node:util';
import type { WireTool } from './echo.ts';
import { serveJson } from './json-server.ts';

const { values } = parseArgs({ options: { port: { type: 'string' }, upstream: { type: 'string' } } });
const upstream = new URL(values.upstream ?? '');
const agent = new http.Agent({ keepAlive: true, maxSockets: 128 });
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

function post(body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: upstream.hostname,
        port: upstream.port,
        path: upstream.pathname,
        method: 'POST',
        agent,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks).toString()));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

serveJson(Number(values.port), async (request) => {
  if (request.id === undefined) return undefined;
  if (request.method === 'tools/call') {
    request.params = { ...request.params, name: request.params?.name?.replace(/^b0__/, '') };
  }
  const answer = await post(JSON.stringify(request));
  if (request.method !== 'tools/list') return answer;
  const message = JSON.parse(answer) as { result: { tools: WireTool[] } };
  for (const tool of message.result.tools) tool.name = `b0__${tool.name}`;
  return JSON.stringify(message);
});
