import { isLoopback } from '../kernel/plain-http.ts';

/**
 * What this gateway is called by authorization servers (RFC 8707, RFC 9728). The whole gateway is one resource with
 * three addresses (`/`, `/mcp`, `/sse`); each toolset is a resource of its own, so that a token for it opens no more.
 */

const METADATA = '/.well-known/oauth-protected-resource';

/** What clients are told to ask for. `admin` is not among them: whoever needs it asks by name. */
export const offeredScopes = ['tools:read', 'tools:execute'] as const;

/** The resource a request is for. `base` is the public URL without a slash at its end. */
export function resourceOf(base: string, path: string): string {
  const toolset = /^\/mcp\/([^/?#]+)/.exec(path)?.[1];
  if (toolset !== undefined) return `${base}/mcp/${toolset}`;
  if (path === '/sse' || path === '/message' || path === '/messages') return `${base}/sse`;
  return path === '/' ? base : `${base}/mcp`;
}

/** Where the metadata of a resource is: the well-known path goes between its host and its path. */
export function metadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${METADATA}${pathname === '/' ? '' : pathname}`;
}

/**
 * The path of the resource whose metadata are asked for, or undefined if something else is. A public URL with a path
 * of its own (`base`) has it behind the well-known one.
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
  /** Absent where there is no authorization server to ask: keys alone. */
  resource?: string;
  error?: 'invalid_token' | 'insufficient_scope' | 'invalid_request';
  description?: string;
  scope?: string;
}

/** The WWW-Authenticate header that tells a client where to get a token, and what was wrong with this one. */
export function challenge({ resource, error, description, scope }: Challenge): string {
  const parts = [
    resource !== undefined && `resource_metadata=${quoted(metadataUrl(resource))}`,
    error !== undefined && `error=${quoted(error)}`,
    description !== undefined && `error_description=${quoted(description)}`,
    scope !== undefined && `scope=${quoted(scope)}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'Bearer' : `Bearer ${parts.join(', ')}`;
}

/** What is said to a token that is valid, but does not allow this. */
export const insufficientScope = (scope: string): Challenge => ({
  error: 'insufficient_scope',
  description: `This needs the scope ${scope}.`,
  scope,
});

/** As a header may carry it: anything but printable ASCII would be refused by Node or end the header. */
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, "'")}"`;
}

/** The same text for every address of the same resource; undefined for what is no URL. */
export function comparable(resource: string): string | undefined {
  if (!URL.canParse(resource)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(resource);
  // All names of this machine reach us, but a proxy here may give each name below localhost to somebody else.
  const host = isLoopback(hostname) && !hostname.endsWith('.localhost') ? 'localhost' : hostname;
  const path = pathname.replace(/\/+$/, '').replace(/(?<!\/mcp)\/(?:mcp|sse)$/, '');
  return `${protocol}//${host}:${port}${path}`;
}

/** The resource of ours that someone asks a token for, as it is written in the token; undefined if it is not ours. */
export function ownResource(asked: string, base: string): string | undefined {
  const wanted = comparable(asked);
  if (wanted === undefined) return undefined;
  const whole = comparable(base);
  const url = new URL(asked);
  const plain = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  if (wanted === whole) return plain;
  return /^\/mcp\/[\w.-]+$/.test(wanted.slice(whole?.length)) && wanted.startsWith(whole ?? ' ') ? plain : undefined;
}
