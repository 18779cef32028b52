import type { Json } from '../kernel/source.ts';

/** Schemes as OpenAPI describes them. */
export type Security = Readonly<Record<string, Json>>;

/** How callers authenticate. */
export interface WaysIn {
  /** Whether authentication is off. */
  readonly open: boolean;
  readonly keys: boolean;
  /** The authorization servers whose tokens are accepted. */
  readonly issuers: readonly string[];
}

/** Keys, in either of two headers, and tokens of authorization servers; undefined if authentication is off. */
export function securityOf(asked: WaysIn): Security | undefined {
  if (asked.open) return undefined;
  const key = 'A key from `sluice keys create`';
  const openid = asked.issuers.map((issuer, index): [string, Json] => [
    index === 0 ? 'oauth' : `oauth${index + 1}`,
    { type: 'openIdConnect', openIdConnectUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration` },
  ]);
  return {
    bearer: { type: 'http', scheme: 'bearer', description: asked.keys ? key : 'An access token' },
    ...(asked.keys && { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: key } }),
    ...Object.fromEntries(openid),
  };
}
