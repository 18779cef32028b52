import type { ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { http, https } from '../kernel/node-http.ts';

/** The origin to connect to. */
export interface HttpTarget {
  url: URL;
  /** Resolves names, if not every address is allowed. */
  lookup?: LookupFunction;
}

export type HttpClient = ReturnType<typeof createHttpClient>;

/** HTTP to one origin: keep-alive sockets, no redirects (they could carry our headers elsewhere). */
export function createHttpClient({ url, lookup }: HttpTarget) {
  const secure = url.protocol === 'https:';
  const options = { keepAlive: true, ...(lookup && { lookup }) };
  const agent = new (secure ? https : http).Agent(options);
  const start = secure ? https.request : http.request;
  const known = new WeakMap<URL, { protocol: string; hostname: string; port: string; path: string; host: string }>();

  function partsOf(target: URL) {
    const parts = known.get(target) ?? {
      protocol: target.protocol,
      hostname: target.hostname.replace(/^\[|\]$/g, ''),
      port: target.port,
      path: target.pathname + target.search,
      host: target.host,
    };
    known.set(target, parts);
    return parts;
  }

  return {
    request(
      target: URL,
      options: { method: string; headers: Record<string, string>; body?: string },
      onResponse: (response: IncomingMessage) => void,
      onError: (error: Error) => void,
    ): ClientRequest {
      const { host, ...parts } = partsOf(target);
      // Node sends a flat list of headers unchanged, but would take an object apart first.
      const headers = options.headers.host === undefined ? ['host', host] : [];
      for (const name in options.headers) headers.push(name, options.headers[name] as string);
      const sent = start({ agent, ...parts, method: options.method, headers }, onResponse);
      sent.on('error', onError);
      sent.end(options.body);
      return sent;
    },
    destroy: () => agent.destroy(),
  };
}

export function readText(
  response: IncomingMessage,
  limit: number,
  onGrown?: (bytes: number) => void,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        resolve(undefined);
        response.destroy();
      } else {
        chunks.push(chunk);
        onGrown?.(size);
      }
    });
    response.on('end', () =>
      resolve((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString('utf8')),
    );
    response.on('error', () => resolve(''));
  });
}
