import type { LookupFunction } from 'node:net';
import { AppError, messageOf } from '../kernel/errors.ts';
import { http, https } from '../kernel/node-http.ts';
import { isLoopback } from '../kernel/plain-http.ts';
import { readText } from '../wire/http-client.ts';

/** The part of `fetch` that the login needs. */
export type Fetch = (url: string, options: FetchOptions) => Promise<Response>;

export interface FetchOptions {
  method: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface FetchGuard {
  /** Throws where an address must not be asked. */
  check(url: URL): Promise<unknown>;
  lookup: LookupFunction;
}

const TIMEOUT_MS = 15_000;
const LIMIT = 1024 * 1024;

export interface FetchSettings {
  /** For a backend that a tool call added. */
  guard?: FetchGuard | undefined;
  /** Whether the backend, or where the owner wants its logins, is on this machine. */
  isLocal(): boolean;
}

/**
 * Asks servers that another server named. No redirects are followed, nothing goes unencrypted over a network, and for
 * a backend that a tool call added nothing goes to an internal address. One that is elsewhere cannot send us to the
 * programs of this machine.
 */
export function createFetch({ guard, isLocal }: FetchSettings): Fetch {
  return async (given, { method, headers = {}, body }) => {
    const url = new URL(given);
    const secure = url.protocol === 'https:';
    if (!secure && !(url.protocol === 'http:' && isLoopback(url.hostname) && isLocal())) {
      throw new AppError('forbidden', `${url.origin} is not an https address; a login there could be overheard.`);
    }
    await guard?.check(url);
    const text = body === undefined || body === null ? undefined : bodyText(body);
    return new Promise<Response>((resolve, reject) => {
      const unreachable = (why: string, cause?: unknown) =>
        reject(new AppError('unavailable', `${url.origin} cannot be reached: ${why}`, { cause }));
      const sent = (secure ? https.request : http.request)(
        url,
        {
          method,
          headers: { ...headers, ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }) },
          ...(guard && { lookup: guard.lookup }),
        },
        (response) => {
          const { statusCode: status = 0 } = response;
          void readText(response, LIMIT).then((content) => {
            if (content === undefined) return unreachable('its answer is too large');
            const { 'content-type': type, 'www-authenticate': challenge } = response.headers;
            const told = { ...(type && { 'content-type': type }), ...(challenge && { 'www-authenticate': challenge }) };
            const empty = status === 204 || status === 205 || status === 304;
            resolve(new Response(empty ? null : content, { status, headers: told }));
          });
        },
      );
      const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
      sent.on('close', () => clearTimeout(timer));
      sent.on('error', (error) => (error instanceof AppError ? reject(error) : unreachable(messageOf(error), error)));
      sent.end(text);
    });
  };
}

const bodyText = (body: unknown): string => (body instanceof URLSearchParams ? body.toString() : String(body));
