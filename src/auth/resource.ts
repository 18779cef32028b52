import { isLoopback } from '../kernel/plain-http.ts';

/**
 * The names of this gateway for authorization servers (RFC 8707, RFC 9728). The whole gateway is one resource with
 * four URLs (`/`, `/mcp`, `/sse`, `/ws`). Each toolset is its own resource, so that a token for it gives access to nothing
 * else.
 */

const METADATA = '/.well-known/oauth-protected-resource';

/** The scopes clients are told to ask for. `admin` is left out: a client that needs it must ask by name. */
export const offeredScopes = ['tools:read', 'tools:execute'] as const;

/** The resource a request is for. `base` is the public URL without a trailing slash. */
export function resourceOf(base: string, path: string): string {
  const toolset = /^\/(?:mcp|ws)\/([^/?#]+)/.exec(path)?.[1];
  if (toolset !== undefined) return `${base}/mcp/${toolset}`;
  if (path === '/sse' || path === '/message' || path === '/messages') return `${base}/sse`;
  return path === '/' ? base : `${base}/mcp`;
}

/** URL of a resource's metadata: the well-known path goes between host and path. */
export function metadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${METADATA}${pathname === '/' ? '' : pathname}`;
}

/**
 * The path of the resource whose metadata this path requests, or undefined if it requests something else. If the public
 * URL (`base`) has a path, it follows the well-known path.
 */
export function describedPath(path: string, base = ''): string | undefined {
  if (!path.startsWith(METADATA)) return undefined;
  const own = new URL(base === '' ? 'http://x' : base).pathname.replace(/\/$/, '');
  const behind = path.slice(METADATA.length).replace(/\/$/, '');
  const rest = own !== '' && behind.startsWith(own) ? behind.slice(own.length) : behind;
  if (rest === '') return '/';
  return /^\/(?:mcp|sse|mcp\/[\w.-]+)$/.test(rest) ? rest : undefined;
}

/** The metadata document of RFC 9728. */
export function protectedResource(
  resource: string,
  authorizationServers: readonly string[],
  scopes: readonly string[] = offeredScopes,
): Record<string, unknown> {
  return {
    resource,
    authorization_servers: authorizationServers,
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Sluice',
  };
}

export interface Challenge {
  /** Absent if only keys are accepted, so that there is no authorization server to ask. */
  resource?: string;
  error?: 'invalid_token' | 'insufficient_scope' | 'invalid_request';
  description?: string;
  scope?: string;
}

/** The WWW-Authenticate header. It tells a client where to get a token and what is wrong with the one it sent. */
export function challenge({ resource, error, description, scope }: Challenge): string {
  const parts = [
    resource !== undefined && `resource_metadata=${quoted(metadataUrl(resource))}`,
    error !== undefined && `error=${quoted(error)}`,
    description !== undefined && `error_description=${quoted(description)}`,
    scope !== undefined && `scope=${quoted(scope)}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'Bearer' : `Bearer ${parts.join(', ')}`;
}

/** The challenge for a valid token that lacks a scope. */
export const insufficientScope = (scope: string): Challenge => ({
  error: 'insufficient_scope',
  description: `This requires the scope ${scope}.`,
  scope,
});

/**
 * Quotes a header value. Replaces everything but printable ASCII, which Node would refuse or which could end the
 * header.
 */
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, "'")}"`;
}

/** The same text for all URLs of one resource; undefined if it is not a URL. */
export function comparable(resource: string): string | undefined {
  if (!URL.canParse(resource)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(resource);
  // All loopback names reach us. But a local proxy may route names below localhost to other programs.
  const host = isLoopback(hostname) && !hostname.endsWith('.localhost') ? 'localhost' : hostname;
  const path = pathname.replace(/\/+$/, '').replace(/(?<!\/mcp)\/(?:mcp|sse)$/, '');
  return `${protocol}//${host}:${port}${path}`;
}

/** Our resource that a client wants a token for, spelled as it goes into the token; undefined if it is not ours. */
export function ownResource(asked: string, base: string): string | undefined {
  const wanted = comparable(asked);
  if (wanted === undefined) return undefined;
  const whole = comparable(base);
  const url = new URL(asked);
  const plain = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  if (wanted === whole) return plain;
  return /^\/mcp\/[\w.-]+$/.test(wanted.slice(whole?.length)) && wanted.startsWith(whole ?? ' ') ? plain : undefined;
}
