import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopback } from '../kernel/plain-http.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Authenticator } from './authenticator.ts';
import { type BuiltinDeps, createBuiltin } from './builtin.ts';
import { isCutOff } from './holding.ts';
import { issuerKeys } from './issuer-keys.ts';
import { createJwtAuthenticator, principalId, type TrustedIssuer } from './jwt.ts';
import { OWNER } from './owner.ts';
import {
  challenge,
  describedPath,
  insufficientScope,
  offeredScopes,
  protectedResource,
  resourceOf,
} from './resource.ts';

/** The `auth.oauth` section of the configuration. */
export interface OAuthSettings {
  issuer?: string | undefined;
  audience?: readonly string[] | undefined;
  jwksUri?: string | undefined;
  scopes?: Readonly<Record<string, readonly string[]>> | undefined;
  builtin?: { password?: string | undefined } | undefined;
  console?: { clientId: string; clientSecret?: string | undefined; scopes?: readonly string[] | undefined } | undefined;
}

export interface OAuthDeps extends Omit<BuiltinDeps, 'issuer' | 'password' | 'revoked'> {
  /** Undefined while OAuth is off. It can change while the gateway runs. */
  settings(): OAuthSettings | undefined;
  /** The configured URL under which clients reach us, if there is one. */
  publicUrl(): string | undefined;
  /** The URL we listen on. */
  url(): string;
}

export interface OAuth extends Disposable {
  readonly authenticator: Authenticator;
  /** Our URL as the client sees it. */
  base(request: Pick<IncomingMessage, 'headers'>): string;
  /** The resource a request is for. A token must name it. */
  resource(request: IncomingMessage): string;
  /** The WWW-Authenticate header; `refused` says what is wrong with the token. */
  challenge(request: IncomingMessage, refused?: string): string;
  /** The same header for a valid token that lacks a scope. */
  insufficient(request: IncomingMessage, scope: string): string;
  /** The owner of the built-in authorization server, as its tokens tell of him. */
  owner(): Pick<Principal, 'id' | 'attributes'>;
  /** Reports the principals whose tokens were revoked, perhaps on another replica. */
  onRevoked(listener: (principals: ReadonlySet<string>) => void): void;
  /** Some grant was revoked: checks every token again. */
  recheck(): Promise<void>;
  /** Serves metadata and the built-in authorization server; false if the request is for something else. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

/** OAuth 2.1: the resource server and, if enabled, the built-in authorization server. */
export function createOAuth(deps: OAuthDeps): OAuth {
  const home = () => trimmed(deps.publicUrl() ?? deps.url());
  const { shared } = deps.store;
  const authenticator = createJwtAuthenticator({ issuers, isCutOff: () => isCutOff(shared) });
  const listeners = new Set<(principals: ReadonlySet<string>) => void>();
  const hearing = shared.peers && shared.hear('oauth', () => void recheck().catch(() => {}));
  const builtin = createBuiltin({
    ...deps,
    issuer: home,
    password: () => deps.settings()?.builtin?.password,
    revoked: authenticator.forget,
  });

  async function recheck(): Promise<void> {
    const gone = await authenticator.recheck();
    if (gone.size > 0) for (const listener of listeners) listener(gone);
  }

  let external: { for: OAuthSettings; issuer: TrustedIssuer } | undefined;

  function externalIssuer(settings: OAuthSettings): TrustedIssuer | undefined {
    const { issuer, jwksUri, audience, scopes } = settings;
    if (issuer === undefined) return undefined;
    if (external?.for !== settings) {
      const keys = issuerKeys(issuer, jwksUri);
      external = {
        for: settings,
        issuer: { issuer, keys, ...(audience && { audiences: audience }), ...(scopes && { scopes }) },
      };
    }
    return external.issuer;
  }

  function issuers(): TrustedIssuer[] {
    const settings = deps.settings();
    if (!settings) return [];
    const other = externalIssuer(settings);
    return [...(other ? [other] : []), ...(settings.builtin ? [builtin.issuer] : [])];
  }

  /** Without a public URL, use the loopback name that the client used: it compares the answer with its own URL. */
  function baseFor({ headers: { host = '' } }: Pick<IncomingMessage, 'headers'>): string {
    const local = isLoopback(host.replace(/:\d+$/, ''));
    return deps.publicUrl() === undefined && local ? `http://${host.toLowerCase()}` : home();
  }

  const resource = (request: IncomingMessage) => resourceOf(baseFor(request), pathOf(request));

  return {
    authenticator,
    owner: () => ({
      id: principalId(home(), OWNER, issuers().length > 1),
      attributes: { iss: home(), sub: OWNER },
    }),
    base: baseFor,
    resource,
    onRevoked: (listener) => void listeners.add(listener),
    recheck,
    [Symbol.dispose]: () => hearing?.[Symbol.dispose](),
    challenge: (request, refused) =>
      challenge({
        ...(issuers().length > 0 && { resource: resource(request), scope: offeredScopes.join(' ') }),
        ...(refused !== undefined && { error: 'invalid_token', description: refused }),
      }),
    insufficient: (request, scope) =>
      challenge({
        ...(issuers().length > 0 && { resource: resource(request) }),
        ...insufficientScope(scope),
      }),
    handle(request, response) {
      const trusted = issuers();
      if (trusted.length === 0) return false;
      const described = describedPath(pathOf(request), home());
      if (described === undefined) return trusted.includes(builtin.issuer) && builtin.handle(request, response);
      const base = baseFor(request);
      const document = protectedResource(
        described === '/' ? base : `${base}${described}`,
        trusted.map(({ issuer }) => issuer),
      );
      request.resume();
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.writeHead(405, { allow: 'GET' }).end();
        return true;
      }
      if (!response.hasHeader('access-control-allow-origin')) response.setHeader('access-control-allow-origin', '*');
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=300' });
      response.end(JSON.stringify(document));
      return true;
    },
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}
