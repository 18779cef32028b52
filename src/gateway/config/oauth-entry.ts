import { z } from 'zod';
import type { OAuthSettings } from '../../wire/credentials.ts';
import type { Transport } from '../transport.ts';
import { httpUrl, integer } from '../../host/config/scalars.ts';

/** `oauth` of a server: how Sluice signs in to it. */
export const oauthEntry = z.strictObject({
  clientId: z.string().min(1, 'must not be empty').optional(),
  clientSecret: z.string().min(1, 'must not be empty').optional(),
  scopes: z.array(z.string().regex(/^\S+$/, 'must be one scope each, without spaces')).optional(),
  grant: z.enum(['authorization_code', 'client_credentials']).default('authorization_code'),
  issuer: httpUrl.optional(),
  callbackPort: integer(1, 65_535).optional(),
  clientMetadataUrl: httpUrl.optional(),
});

type Given = z.output<typeof oauthEntry> | false | undefined;

export function oauthOf(
  given: Given,
  transport: Transport,
  context: z.RefinementCtx,
): { oauth: OAuthSettings | false } | undefined {
  if (given === undefined || given === false) return given === undefined ? undefined : { oauth: false };
  const refuse = (path: string[], message: string, fix: string) =>
    context.addIssue({ code: 'custom', path: ['oauth', ...path], message, params: { fix } });
  // A problem with the transport itself is already reported.
  if (transport?.kind === 'stdio')
    refuse([], 'is for servers with a URL', 'Remove it: a program gets its secrets through env.');
  else if (Object.keys(transport?.headers ?? {}).some((name) => name.toLowerCase() === 'authorization'))
    refuse([], 'and an Authorization header are two ways to sign in', 'Keep one of the two.');
  const { clientId, clientSecret, scopes, grant, issuer, callbackPort, clientMetadataUrl } = given;
  if (grant === 'client_credentials' && (clientId === undefined || clientSecret === undefined))
    refuse(['grant'], 'is client_credentials, which needs a client', 'Add clientId and clientSecret.');
  if (clientSecret !== undefined && clientId === undefined)
    refuse(['clientSecret'], 'has no clientId', 'Add clientId: the authorization server gave both.');
  if (clientMetadataUrl !== undefined && !clientMetadataUrl.startsWith('https:'))
    refuse(['clientMetadataUrl'], 'is not an https address', 'Others must be able to read it: write https://….');
  return {
    oauth: {
      grant,
      ...(clientId !== undefined && { clientId }),
      ...(clientSecret !== undefined && { clientSecret }),
      ...(scopes && { scopes }),
      ...(issuer !== undefined && { issuer }),
      ...(callbackPort !== undefined && { callbackPort }),
      ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    },
  };
}
