// Floor: an HTTP proxy that pipes bytes without parsing them.
import http from 'node:http';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { port: { type: 'string' }, upstream: { type: 'string' } } });
const upstream = new URL(values.upstream ?? '');
const agent = new http.Agent({ keepAlive: true, maxSockets: 128 });

http
  .createServer((incoming, outgoing) => {
    const request = http.request(
      {
        host: upstream.hostname,
        port: upstream.port,
        path: upstream.pathname,
        method: incoming.method,
        headers: { ...incoming.headers, host: upstream.host },
        agent,
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    request.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(request);
  })
  .listen(Number(values.port), '127.0.0.1');
