import type { Json } from '../kernel/source.ts';

/** How callers can say who they are: each scheme as OpenAPI describes it. */
export type Security = Readonly<Record<string, Json>>;

/** Keys, in either of two headers, and the tokens of authorization servers; nothing where nobody is asked. */
export function securityOf(asked: { open: boolean; keys: boolean; issuers: readonly string[] }): Security | undefined {
  if (asked.open) return undefined;
  const key = 'A key made by `sluice keys create`';
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
