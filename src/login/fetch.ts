import type { LookupFunction } from 'node:net';
import { AppError, messageOf } from '../kernel/errors.ts';
import { http, https } from '../kernel/node-http.ts';
import { isLoopback } from '../kernel/plain-http.ts';
import { readText } from '../wire/http-client.ts';

/** The part of `fetch` that logins need. */
export type Fetch = (url: string, options: FetchOptions) => Promise<Response>;

export interface FetchOptions {
  method: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface FetchGuard {
  /** Throws if the URL must not be requested. */
  check(url: URL): Promise<unknown>;
  lookup: LookupFunction;
}

const TIMEOUT_MS = 15_000;
const LIMIT = 1024 * 1024;

export interface FetchSettings {
  /** Set for servers that a tool call added. */
  guard?: FetchGuard | undefined;
  /** Whether the server, or its configured issuer, is on this machine. */
  isLocal(): boolean;
}

/**
 * Requests URLs that another server named. Follows no redirects and sends nothing unencrypted over a network. For
 * servers that a tool call added, internal addresses are blocked. A remote server cannot direct us to programs on this
 * machine.
 */
export function createFetch({ guard, isLocal }: FetchSettings): Fetch {
  return async (given, { method, headers = {}, body }) => {
    const url = new URL(given);
    const secure = url.protocol === 'https:';
    if (!secure && !(url.protocol === 'http:' && isLoopback(url.hostname) && isLocal())) {
      throw new AppError('forbidden', `${url.origin} is not an https URL: others could intercept a login there.`);
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
