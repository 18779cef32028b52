import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { https } from '../kernel/node-http.ts';
import { own } from '../kernel/own.ts';

/** Keeps a client's URL from pointing into this machine or its network. */
export interface AddressGuard {
  assertPublic(url: string): Promise<unknown>;
  readonly lookup: LookupFunction;
}

type Fetch = (url: string | URL, options: RequestInit) => Promise<Response>;

const TIMEOUT_MS = 5000;

/**
 * Fetches the documents a client names: its metadata, its keys. Anyone who can open the sign-in page can name one, so
 * every request goes through the guard, follows no redirect and carries no credentials. Without a guard any address is
 * allowed.
 */
export function documentFetch(guard: AddressGuard | undefined, fetchOver: Fetch = overHttps(guard)): Fetch {
  return async (url, options) => {
    const address = String(url);
    if (!address.startsWith('https://')) throw new Error('must be an https URL');
    await guard?.assertPublic(address);
    const known = own(wellKnown, address);
    if (known === undefined) return fetchOver(url, options);
    const response = await fetchOver(url, options).catch(() => undefined);
    if (response?.status === 200) return response;
    await response?.body?.cancel();
    return Response.json({ client_id: address, ...known }, { headers: { 'cache-control': 'max-age=3600' } });
  };
}

/**
 * Copies of documents whose hosts serve a CAPTCHA to everything but browsers (claude.ai did in 2026), so that fetching
 * can fail. They contain only redirect URIs on the same host or on this computer.
 */
const wellKnown: Readonly<Record<string, object>> = {
  'https://claude.ai/oauth/mcp-oauth-client-metadata': {
    client_name: 'Claude',
    client_uri: 'https://claude.ai',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
    token_endpoint_auth_method: 'none',
  },
  'https://claude.ai/oauth/claude-code-client-metadata': {
    client_name: 'Claude Code',
    client_uri: 'https://claude.ai',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
  },
};

function overHttps(guard: AddressGuard | undefined): Fetch {
  return (url, { signal }) =>
    new Promise((resolve, reject) => {
      const sent = https.request(
        url,
        {
          headers: { accept: 'application/json', 'user-agent': 'sluice' },
          signal: signal ?? AbortSignal.timeout(TIMEOUT_MS),
          agent: false,
          ...(guard && { lookup: guard.lookup }),
        },
        (answer) => {
          const headers = new Headers();
          for (const name of ['content-type', 'content-length', 'cache-control', 'expires'] as const) {
            const value = answer.headers[name];
            if (value !== undefined) headers.set(name, value);
          }
          const { statusCode: status = 502 } = answer;
          const empty = status < 200 || status === 204 || status === 304;
          if (empty) answer.resume();
          resolve(new Response(empty ? null : (Readable.toWeb(answer) as ReadableStream), { status, headers }));
        },
      );
      sent.on('error', reject);
      sent.end();
    });
}
