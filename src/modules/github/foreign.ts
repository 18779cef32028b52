import { AppError } from '../../kernel/errors.ts';
import { HttpError, httpTo } from '../http.ts';
import type { Tls } from '../tls.ts';
import type { Streamed } from './answer.ts';
import { isRedirect, locationOf } from './redirect.ts';

interface Around {
  readonly base: string;
  readonly at: string;
  readonly tls: Tls | undefined;
  readonly signal: AbortSignal;
}

const MOST_HOPS = 3;

/**
 * Fetches what a redirect to another host leads to: a URL that is signed, and must not get the token. It appears in no
 * error, because whoever has it can fetch the same. Undefined if the redirect stays at the API.
 */
export async function foreign(redirect: HttpError, around: Around): Promise<Streamed | undefined> {
  const { base, at, tls, signal } = around;
  const api = new URL(base);
  const first = locationOf(redirect, base);
  if (!first || isApi(first, api)) return undefined;
  let url: URL = first;
  for (let hop = 1; hop <= MOST_HOPS; hop += 1) {
    if (url.protocol !== 'https:' && url.protocol !== api.protocol)
      throw new AppError('unavailable', `${at} redirects to an address without TLS, which is not followed.`);
    // A client certificate is for GitHub alone.
    const trust: Tls | undefined = tls && {
      rejectUnauthorized: tls.rejectUnauthorized,
      ...(tls.ca !== undefined && { ca: tls.ca }),
    };
    const http = httpTo({ base: url.origin, tls: trust });
    try {
      const { body, ...answered } = await http.stream(`${url.pathname}${url.search}`, {
        headers: { accept: '*/*' },
        signal,
      });
      return { ...answered, body: closing(body, http) };
    } catch (error) {
      await http[Symbol.asyncDispose]();
      if (!(error instanceof HttpError)) throw error;
      const next: URL | undefined = isRedirect(error) ? locationOf(error, url.href) : undefined;
      if (!next) throw refused(error, at, url.host);
      url = next;
    }
  }
  throw new AppError('unavailable', `${at} redirects in circles. Try again in a moment.`);
}

const isApi = (url: URL, api: URL): boolean =>
  url.origin === api.origin && url.pathname.startsWith(`${api.pathname.replace(/\/+$/, '')}/`);

function refused(error: HttpError, at: string, host: string): AppError {
  const { status } = error;
  if (status === 404 || status === 410)
    return new AppError('not_found', `${host}, to which ${at} redirects, does not have it any more.`);
  return new AppError(
    'unavailable',
    `${host}, to which ${at} redirects, refuses it (HTTP ${status}). Try again in a moment.`,
  );
}

async function* closing(body: AsyncIterable<Buffer>, http: AsyncDisposable): AsyncGenerator<Buffer> {
  await using _http = http;
  yield* body;
}
