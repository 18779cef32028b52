import type { AuthorizationServer } from 'oauth4webapi';
import { AppError } from '../kernel/errors.ts';
import { isLoopback } from '../kernel/plain-http.ts';
import { isObject } from '../wire/jsonrpc.ts';
import type { Challenge } from './challenge.ts';
import type { Fetch } from './fetch.ts';

/** How a server is signed in to. */
export interface Discovered {
  server: AuthorizationServer;
  /** How the server names itself; what a token is asked for. Absent with servers from before 2025-06-18. */
  resource?: string;
  /** What the server says can be asked for. */
  scopes?: string[];
  /** Nothing was announced: the endpoints are those everybody guesses. */
  guessed?: true;
}

interface Options {
  url: URL;
  challenge: Challenge;
  fetch: Fetch;
  /** The one the owner wants, where a server names several. */
  issuer?: string | undefined;
}

/** Finds out where to sign in: from the server's own description (RFC 9728), else at its origin, as in 2025-03-26. */
export async function discover({ url, challenge, fetch, issuer }: Options): Promise<Discovered> {
  const description = await describe(url, challenge, fetch);
  const named = description?.servers ?? [];
  if (issuer !== undefined && named.length > 0 && !named.includes(issuer)) {
    throw new AppError(
      'forbidden',
      `${url.origin} wants logins at ${shown(named.join(' or '))}, but "oauth.issuer" allows ${issuer} only.`,
    );
  }
  const wanted = issuer ?? named[0];
  const found = await serverAt(wanted ?? url.origin, fetch);
  const { resource, scopes } = description ?? {};
  const rest = { ...(resource !== undefined && { resource }), ...(scopes && { scopes }) };
  if (found) return { server: usable(found), ...rest };
  if (wanted !== undefined) {
    throw new AppError(
      'unavailable',
      `${url.origin} wants logins at ${wanted}, which does not describe itself (RFC 8414).`,
    );
  }
  return { server: guess(url.origin), ...rest, guessed: true };
}

interface Description {
  resource: string;
  servers: string[];
  scopes?: string[];
}

async function describe(url: URL, challenge: Challenge, fetch: Fetch): Promise<Description | undefined> {
  const wellKnown = '/.well-known/oauth-protected-resource';
  const path = url.pathname === '/' ? '' : url.pathname;
  const places =
    challenge.resourceMetadata !== undefined && URL.canParse(challenge.resourceMetadata)
      ? [challenge.resourceMetadata]
      : [...new Set([`${url.origin}${wellKnown}${path}${url.search}`, `${url.origin}${wellKnown}`])];
  for (const place of places) {
    const document = await json(place, fetch);
    if (!document) continue;
    const { resource, authorization_servers: servers, scopes_supported: scopes } = document;
    if (typeof resource !== 'string' || !isSame(resource, url)) {
      throw new AppError(
        'forbidden',
        `${url.origin} describes itself as ${shown(resource)}, which is another server; nobody is sent there to sign in.`,
      );
    }
    return {
      resource,
      servers: strings(servers) ?? [],
      ...(strings(scopes) && { scopes: strings(scopes) as string[] }),
    };
  }
  return undefined;
}

/** A server may name itself by a shorter path, but not another origin or another path. */
function isSame(resource: string, { origin, pathname }: URL): boolean {
  const named = URL.parse(resource);
  if (named?.origin !== origin) return false;
  const asDirectory = (path: string) => (path.endsWith('/') ? path : `${path}/`);
  return asDirectory(pathname).startsWith(asDirectory(named.pathname));
}

async function serverAt(issuer: string, fetch: Fetch): Promise<AuthorizationServer | undefined> {
  const url = URL.parse(issuer);
  if (!url) throw new AppError('unavailable', 'The server names an authorization server that is no URL.');
  const path = url.pathname.replace(/\/$/, '');
  const places = new Set([
    `${url.origin}/.well-known/oauth-authorization-server${path}`,
    `${url.origin}/.well-known/openid-configuration${path}`,
    `${url.origin}${path}/.well-known/openid-configuration`,
  ]);
  for (const place of places) {
    const document = await json(place, fetch);
    if (!document) continue;
    // A document of another issuer would send us, and the codes we get, elsewhere. Only a closing slash may differ:
    // some libraries add one to every URL they write, and an origin has none.
    const alike = [issuer, issuer.replace(/\/$/, ''), ...(path === '' ? [`${url.origin}/`] : [])];
    if (!alike.includes(document.issuer as string)) {
      throw new AppError(
        'forbidden',
        `The authorization server at ${url.origin} says it is ${shown(document.issuer)}, not ${issuer}; nobody is sent there to sign in.`,
      );
    }
    return document as unknown as AuthorizationServer;
  }
  return undefined;
}

function usable(server: AuthorizationServer): AuthorizationServer {
  const refuse = (why: string) => new AppError('unsupported', `The authorization server ${server.issuer} ${why}.`);
  if (typeof server.token_endpoint !== 'string') throw refuse('names no token endpoint');
  // Absent means that it does not say; OpenID providers often do not, and do it all the same.
  const methods = server.code_challenge_methods_supported;
  if (methods && !methods.includes('S256')) throw refuse('does not protect logins by PKCE with S256');
  for (const key of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'] as const) {
    const url = server[key] === undefined ? undefined : URL.parse(server[key]);
    if (url === null || (url && url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))) {
      throw refuse(`has an ${key.replace('_', ' ')} that is no https address`);
    }
  }
  return server;
}

function guess(origin: string): AuthorizationServer {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
  };
}

/** The JSON object at an address; undefined where there is none. */
async function json(place: string, fetch: Fetch): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(place, { method: 'GET', headers: { accept: 'application/json' } });
  const text = await response.text();
  if (response.status !== 200) {
    if (response.status >= 500 && response.status !== 502)
      throw new AppError('unavailable', `${place} answered HTTP ${response.status}; try again later.`, {
        saysWhen: true,
      });
    return undefined;
  }
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** What a stranger says of itself is not repeated at any length. */
function shown(given: unknown): string {
  return String(given).slice(0, 200);
}

function strings(given: unknown): string[] | undefined {
  return Array.isArray(given) ? given.filter((item) => typeof item === 'string') : undefined;
}
