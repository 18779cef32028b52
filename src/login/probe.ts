import type { LookupFunction } from 'node:net';
import { AppError, messageOf } from '../kernel/errors.ts';
import { createHttpClient } from '../wire/http-client.ts';

export interface Probed {
  status: number;
  /** The WWW-Authenticate header. */
  challenge: string | undefined;
}

const PROBE_MS = 15_000;

/** Sends a request that requires a login, to see what the server asks for. */
export async function probe(options: {
  url: string;
  kind: 'http' | 'sse';
  headers: Readonly<Record<string, string>>;
  lookup?: LookupFunction;
}): Promise<Probed> {
  const url = new URL(options.url);
  const client = createHttpClient({ ...options, url });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const asked =
    options.kind === 'sse'
      ? { method: 'GET', headers: { ...options.headers, accept: 'text/event-stream' } }
      : {
          method: 'POST',
          headers: {
            ...options.headers,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'content-length': String(Buffer.byteLength(body)),
          },
          body,
        };
  try {
    return await new Promise<Probed>((resolve, reject) => {
      const sent = client.request(
        url,
        asked,
        (response) => {
          resolve({ status: response.statusCode ?? 0, challenge: response.headers['www-authenticate'] });
          response.destroy();
        },
        reject,
      );
      sent.setTimeout(PROBE_MS, () => sent.destroy(new Error('it does not answer')));
    });
  } catch (error) {
    throw new AppError('unavailable', `The server at ${url.origin} cannot be reached: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    client.destroy();
  }
}
