import type { JWTVerifyGetKey } from 'jose';
import { AppError, messageOf } from '../kernel/errors.ts';
import { late } from '../kernel/late.ts';
import { isPlainHttp } from '../kernel/plain-http.ts';

const TIMEOUT_MS = 5000;
const LONGEST = 256 * 1024;

/**
 * The public keys of an authorization server, fetched when the first token arrives. The key set is reloaded every ten
 * minutes, and at once (at most every 30 seconds) when a token names an unknown key.
 */
export const issuerKeys = (issuer: string, jwksUri?: string): (() => Promise<JWTVerifyGetKey>) =>
  late(() => connect(issuer, jwksUri));

async function connect(issuer: string, jwksUri: string | undefined): Promise<JWTVerifyGetKey> {
  const address = jwksUri ?? (await discoverKeys(issuer));
  const { createRemoteJWKSet } = await import('jose');
  return createRemoteJWKSet(new URL(address), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
  });
}

/** RFC 8414 puts the well-known path before the issuer's path, OpenID Connect after it. */
function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
    ...(path === '' ? [] : [`${origin}/.well-known/openid-configuration${path}`]),
  ];
}

async function discoverKeys(issuer: string): Promise<string> {
  const failures: string[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      const found = await fetchJson(url);
      if (found.issuer !== issuer) {
        failures.push(`${url} belongs to the issuer ${String(found.issuer).slice(0, 200)}`);
      } else if (typeof found.jwks_uri !== 'string' || !URL.canParse(found.jwks_uri)) {
        failures.push(`${url} has no jwks_uri`);
      } else if (isPlainHttp(found.jwks_uri)) {
        failures.push(`${url} names a jwks_uri that is not https: keys fetched over plain http could be forged`);
      } else return found.jwks_uri;
    } catch (error) {
      failures.push(`${url}: ${messageOf(error)}`);
    }
  }
  throw new AppError(
    'unavailable',
    `Cannot find the keys of ${issuer} (${failures.join('; ')}). Check auth.oauth.issuer, or set auth.oauth.jwksUri.`,
  );
}

async function fetchJson(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    // A redirect could lead away from https or to another machine. The key set request follows none either.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`answered ${response.status}`);
  }
  const text = await response.text();
  if (text.length > LONGEST) throw new Error('is too long');
  const value: unknown = JSON.parse(text);
  if (value === null || typeof value !== 'object') throw new Error('is not a JSON object');
  return value as Record<string, unknown>;
}
