import { messageOf } from '../kernel/errors.ts';
import { http, https } from '../kernel/node-http.ts';
import { own } from '../kernel/own.ts';
import type { Answer } from './verdict.ts';

export interface Poster extends Disposable {
  post(body: string, headers: Record<string, string>, signal: AbortSignal): Promise<Answer>;
}

/** How much of an answer to read before closing its connection. */
const MOST_READ = 64 * 1024;

/** Until its database is ready, n8n answers every request with this text and status 200, and does nothing. */
const STARTING = Buffer.from('n8n is starting up');

/** Posts to one URL over one kept-alive connection. Checks TLS; does not follow redirects. */
export function createPoster(address: string, timeout: number): Poster {
  const url = new URL(address);
  const secure = url.protocol === 'https:';
  const agent = new (secure ? https.Agent : http.Agent)({ keepAlive: true, maxSockets: 1 });
  const send = secure ? https.request : http.request;

  function once(body: string, headers: Record<string, string>, signal: AbortSignal): Promise<Answer | 'stale'> {
    return new Promise((resolve) => {
      const request = send(url, {
        agent,
        method: 'POST',
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        signal,
      });
      // The status counts as the answer, even if the body does not arrive completely.
      let answer: Answer | undefined;
      const timer = setTimeout(() => {
        resolve(answer ?? { failure: `no answer within ${timeout / 1000} s` });
        request.destroy();
      }, timeout);
      request.once('response', (response) => {
        const { statusCode = 0, headers: given } = response;
        answer = { status: statusCode, retryAfter: given['retry-after'] };
        let read = 0;
        response.on('data', (chunk: Buffer) => {
          if (read === 0 && chunk.subarray(0, STARTING.length).equals(STARTING))
            answer = { failure: 'n8n is still starting' };
          read += chunk.length;
          if (read > MOST_READ) request.destroy();
        });
        response.once('close', () => {
          clearTimeout(timer);
          resolve(answer as Answer);
        });
        response.on('error', () => {});
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        // The receiver closed the idle connection. That is not an outage.
        const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        resolve(answer ?? (stale ? 'stale' : { failure: failureOf(error) }));
      });
      request.end(body);
    });
  }

  return {
    async post(body, headers, signal) {
      const first = await once(body, headers, signal);
      if (first !== 'stale') return first;
      const second = await once(body, headers, signal);
      return second === 'stale' ? { failure: 'the connection was reset' } : second;
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: nothing listens there',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the DNS lookup failed',
  ETIMEDOUT: 'the host does not answer',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ABORT_ERR: 'the gateway stopped',
};

function failureOf(error: NodeJS.ErrnoException): string {
  return own(WORDS, error.code ?? '') ?? messageOf(error);
}
