import type { AuthorizationServer } from 'oauth4webapi';
import type { OwnClient } from './client.ts';
import type { Discovered } from './discovery.ts';
import type { Party } from './grants.ts';

/** The parties of a login, reduced to what later requests need. */
export function partyOf({ server, resource }: Discovered, client: OwnClient): Party {
  const { issuer, authorization_endpoint, token_endpoint, revocation_endpoint } = server;
  const { authorization_response_iss_parameter_supported } = server;
  const kept = {
    issuer,
    authorization_endpoint,
    token_endpoint,
    revocation_endpoint,
    authorization_response_iss_parameter_supported,
  };
  return {
    server: JSON.parse(JSON.stringify(kept)) as AuthorizationServer,
    client,
    ...(resource !== undefined && { resource }),
  };
}

export function hostOf(issuer: string): string {
  return URL.parse(issuer)?.host ?? issuer;
}
