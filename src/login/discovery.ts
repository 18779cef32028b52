import type { AuthorizationServer } from 'oauth4webapi';
import { AppError } from '../kernel/errors.ts';
import { isLoopback } from '../kernel/plain-http.ts';
import { isObject } from '../wire/jsonrpc.ts';
import type { Challenge } from './challenge.ts';
import type { Fetch } from './fetch.ts';

/** How to sign in to a server. */
export interface Discovered {
  server: AuthorizationServer;
  /** The server's own name, for which tokens are requested. Servers from before 2025-06-18 have none. */
  resource?: string;
  /** The scopes the server announces. */
  scopes?: string[];
  /** The server announced nothing: these are the default endpoints. */
  guessed?: true;
}

interface Options {
  url: URL;
  challenge: Challenge;
  fetch: Fetch;
  /** The issuer the owner configured, for servers that name several. */
  issuer?: string | undefined;
}

/** Finds out where to sign in: from the server's metadata (RFC 9728), else at its origin, as in 2025-03-26. */
export async function discover({ url, challenge, fetch, issuer }: Options): Promise<Discovered> {
  const description = await describe(url, challenge, fetch);
  const named = description?.servers ?? [];
  if (issuer !== undefined && named.length > 0 && !named.includes(issuer)) {
    throw new AppError(
      'forbidden',
      `${url.origin} requires a login at ${shown(named.join(' or '))}, but "oauth.issuer" allows only ${issuer}.`,
    );
  }
  const wanted = issuer ?? named[0];
  const found = await serverAt(wanted ?? url.origin, fetch);
  const { resource, scopes } = description ?? {};
  const rest = { ...(resource !== undefined && { resource }), ...(scopes && { scopes }) };
  if (found) return { server: usable(found), ...rest };
  if (wanted !== undefined) {
    throw new AppError('unavailable', `${url.origin} requires a login at ${wanted}, which has no metadata (RFC 8414).`);
  }
  return { server: guess(url.origin), ...rest, guessed: true };
}

/** The authorization server of this name. */
export async function serverOf(issuer: string, fetch: Fetch): Promise<AuthorizationServer> {
  const found = await serverAt(issuer, fetch);
  if (!found) throw new AppError('unavailable', `${issuer} has no metadata (RFC 8414).`);
  return usable(found);
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
        `${url.origin} says it is ${shown(resource)}, which is another server. Sluice does not sign in there.`,
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

/** A server may name itself by a shorter path, but not by another origin or path. */
function isSame(resource: string, { origin, pathname }: URL): boolean {
  const named = URL.parse(resource);
  if (named?.origin !== origin) return false;
  const asDirectory = (path: string) => (path.endsWith('/') ? path : `${path}/`);
  return asDirectory(pathname).startsWith(asDirectory(named.pathname));
}

async function serverAt(issuer: string, fetch: Fetch): Promise<AuthorizationServer | undefined> {
  const url = URL.parse(issuer);
  if (!url) throw new AppError('unavailable', 'The server names an authorization server that is not a URL.');
  const path = url.pathname.replace(/\/$/, '');
  const places = new Set([
    `${url.origin}/.well-known/oauth-authorization-server${path}`,
    `${url.origin}/.well-known/openid-configuration${path}`,
    `${url.origin}${path}/.well-known/openid-configuration`,
  ]);
  for (const place of places) {
    const document = await json(place, fetch);
    if (!document) continue;
    // Metadata of another issuer would send us, and the codes we get, elsewhere. Only a trailing slash may differ: some
    // libraries add one to every URL, and an origin has none.
    const alike = [issuer, issuer.replace(/\/$/, ''), ...(path === '' ? [`${url.origin}/`] : [])];
    if (!alike.includes(document.issuer as string)) {
      throw new AppError(
        'forbidden',
        `The authorization server at ${url.origin} says it is ${shown(document.issuer)}, not ${issuer}. Sluice does not sign in there.`,
      );
    }
    return document as unknown as AuthorizationServer;
  }
  return undefined;
}

function usable(server: AuthorizationServer): AuthorizationServer {
  const refuse = (why: string) => new AppError('unsupported', `The authorization server ${server.issuer} ${why}.`);
  if (typeof server.token_endpoint !== 'string') throw refuse('has no token endpoint');
  // Absent means unknown: OpenID providers often omit it, but support PKCE.
  const methods = server.code_challenge_methods_supported;
  if (methods && !methods.includes('S256')) throw refuse('does not support PKCE with S256');
  for (const key of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'] as const) {
    const url = server[key] === undefined ? undefined : URL.parse(server[key]);
    if (url === null || (url && url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))) {
      throw refuse(`does not use https for its ${key.replace('_', ' ')}`);
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

/** The JSON object at a URL; undefined if there is none. */
async function json(place: string, fetch: Fetch): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(place, { method: 'GET', headers: { accept: 'application/json' } });
  const text = await response.text();
  if (response.status !== 200) {
    if (response.status >= 500 && response.status !== 502)
      throw new AppError('unavailable', `${place} answered HTTP ${response.status}. Try again later.`, {
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

/** Shortens text from an unknown server before it goes into a message. */
function shown(given: unknown): string {
  return String(given).slice(0, 200);
}

function strings(given: unknown): string[] | undefined {
  return Array.isArray(given) ? given.filter((item) => typeof item === 'string') : undefined;
}
