import { errors, type Configuration, Provider } from 'oidc-provider';
import { isScope } from '../kernel/principal.ts';
import type { Store } from '../store/store.ts';
import { type ClientMetadata, fitMetadata, shownName } from './client-metadata.ts';
import { OWNER } from './owner.ts';
import { createAdapters, storedId } from './provider-adapter.ts';
import { offeredScopes, ownResource } from './resource.ts';
import type { Seal } from '../kernel/seal.ts';
import type { SigningKey } from './signing-keys.ts';
import { errorPage, pageHeaders } from './pages.ts';

export const paths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  keys: '/oauth/jwks',
  interaction: '/oauth/interaction',
} as const;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface ProviderSettings {
  /** The public URL without a trailing slash. */
  issuer: string;
  store: Pick<Store, 'oauth'>;
  seal: Seal;
  keys: SigningKey[];
  cookieKey: string;
  fetch: (url: string | URL, options: RequestInit) => Promise<Response>;
  isAllowedOrigin(origin: string): boolean;
}

/** The built-in authorization server: one owner, public clients, tokens for this gateway only. */
export function createProvider(settings: ProviderSettings): Provider {
  const { issuer } = settings;
  const basePath = new URL(issuer).pathname.replace(/\/$/, '');
  const resource = (asked: string): string => {
    const own = ownResource(asked, issuer);
    if (own === undefined) throw new errors.InvalidTarget(`unknown resource ${asked.slice(0, 200)}`);
    return own;
  };

  const configuration: Configuration = {
    adapter: createAdapters(settings.store.oauth, settings.seal, () => new errors.InvalidGrant('it was already used')),
    jwks: { keys: settings.keys },
    cookies: {
      names: { session: 'sluice_owner', interaction: 'sluice_interaction', resume: 'sluice_resume' },
      keys: [settings.cookieKey],
      long: { httpOnly: true, sameSite: 'lax', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    routes: {
      authorization: paths.authorize,
      token: paths.token,
      registration: paths.register,
      revocation: paths.revoke,
      jwks: paths.keys,
      end_session: '/oauth/session/end',
    },
    // Our own scopes belong to the resource, not to the authorization server.
    scopes: ['openid', 'offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    extraClientMetadata: {
      // The validator runs once per property. One property is enough: it fits the whole metadata.
      properties: ['software_id'],
      validator: (_ctx, _key, _value, metadata) => fitMetadata(metadata as ClientMetadata),
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        // Clients of 2025-03 do not name the resource. They can only mean this one.
        defaultResource: (_ctx, _client, oneOf) => (oneOf?.length ? oneOf[0] : `${issuer}/mcp`),
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, asked) => ({
          audience: resource(asked),
          // A token request need not repeat the scopes; then the granted ones count.
          scope: [
            ...scopesAsked(ctx.oidc.params?.scope),
            ...scopesAsked(ctx.oidc.entities.Grant?.getResourceScope(asked)),
          ].join(' '),
          accessTokenFormat: 'jwt',
          accessTokenTTL: HOUR,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    pkce: { required: () => true },
    // A client keeps its access while it uses it. The owner need not stay signed in.
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: () => HOUR,
      AuthorizationCode: () => MINUTE,
      IdToken: () => HOUR,
      Interaction: () => 30 * MINUTE,
      Session: () => 7 * DAY,
      RefreshToken: () => 90 * DAY,
      Grant: () => 365 * DAY,
    },
    // Ignore grants of earlier visits: the owner sees each request.
    loadExistingGrant: async (ctx) => {
      const granted = ctx.oidc.result?.consent?.grantId;
      return granted === undefined ? undefined : ctx.oidc.provider.Grant.find(granted);
    },
    extraTokenClaims: (_ctx, token) => ({
      name: `${OWNER} via ${shownName(token.client?.clientName ?? token.client?.clientId ?? '')}`,
      // The id under which the store knows the grant, not the grant id itself.
      ...('grantId' in token && token.grantId !== undefined && { grant: storedId(token.grantId) }),
    }),
    findAccount: (_ctx, id) => (id === OWNER ? { accountId: OWNER, claims: async () => ({ sub: OWNER }) } : undefined),
    interactions: { url: (_ctx, { uid }) => `${basePath}${paths.interaction}/${uid}` },
    clientBasedCORS: (_ctx, origin) => settings.isAllowedOrigin(origin),
    fetch: (url, options = {}) => settings.fetch(url instanceof Request ? url.url : url, options),
    fetchResponseBodyLimits: {
      'client_id metadata document': 20 * 1024,
      jwks_uri: 64 * 1024,
      sector_identifier_uri: 20 * 1024,
    },
    renderError: (ctx, out) => {
      ctx.set(pageHeaders);
      ctx.body = errorPage(out.error, out.error_description);
    },
  };
  const provider = new Provider(issuer, configuration);
  // Trust these headers behind any proxy: builtin.ts sets them itself from the public URL.
  provider.proxy = true;
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.path.startsWith('/.well-known/') && ctx.status === 200)
      Object.assign(ctx.body as object, {
        scopes_supported: [
          ...(ctx.path.endsWith('openid-configuration') ? ['openid'] : []),
          ...offeredScopes,
          'offline_access',
        ],
      });
  });
  return provider;
}

/** The scopes a client asks for that can be granted. */
export function scopesAsked(scope: unknown): string[] {
  return typeof scope === 'string' ? [...new Set(scope.split(' '))].filter(isScope) : [];
}
