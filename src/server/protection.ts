import { late } from '../kernel/late.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { environmentKey } from '../auth/environment-key.ts';
import type { Auth } from '../auth/part.ts';
import { signsIn } from '../auth/settings.ts';
import type { GatewayConfig } from '../gateway/config/settings.ts';
import type { ServerSettings } from '../host/server-settings.ts';
import type { Telemetry } from '../telemetry/open.ts';
import { openKeyring } from '../auth/keyring.ts';
import type { OAuthDeps } from '../auth/oauth.ts';
import { challenge, insufficientScope } from '../auth/resource.ts';
import { assertPublicUrl, publicLookup } from '../wire/url-guard.ts';
import { isLoopback } from '../kernel/plain-http.ts';
import { createAttempts } from './attempts.ts';
import { clientAddress } from './client-address.ts';
import type { GuardOptions } from './guard.ts';
import { createRefusalReport, type RefusalFact } from './refusal-report.ts';
import type { WaysIn } from './security.ts';
import type { IssuerEntrance, LateSessions, Sessions } from './session/sessions.ts';

export interface Protection extends Disposable {
  readonly guard: GuardOptions;
  /** Reports the principals whose key or token no longer works. */
  onRevoked(listener: (principals: ReadonlySet<string>) => void): void;
  /** Serves the sign-in endpoints; false if the request is for something else. */
  extra(request: IncomingMessage, response: ServerResponse): boolean;
  /** The WWW-Authenticate header for an authenticated caller that lacks a scope. */
  insufficient(request: IncomingMessage, scope: string): string;
  /** How callers authenticate, for the OpenAPI document. */
  security(): WaysIn;
  /** The owner's password, if it was just created. It cannot be shown again. */
  readonly newPassword?: string;
}

/** The parts of the gateway that decide who gets access. */
export interface Protected {
  readonly auth: Auth;
  readonly gateway: { config(): GatewayConfig };
  readonly telemetry: Telemetry;
  server(): ServerSettings;
  url(): { readonly here?: string };
}

/** Access control, built from the configuration, the keys in the store and the environment. */
export async function openProtection({ auth, gateway, telemetry, server, url }: Protected): Promise<Protection> {
  const { store, events } = auth;
  const { shared } = store;
  const keyring = await openKeyring(store);
  // A host changed in the file takes effect at the next start.
  const { host } = server();
  const oauthSettings = () => (signsIn(auth.settings()) ? auth.settings().oauth : undefined);
  const attempts = createAttempts();
  const tellRefused = (fact: RefusalFact) => events.record({ type: 'auth.refused', ...fact });
  const report = createRefusalReport(tellRefused);
  const deps: OAuthDeps = {
    store,
    settings: oauthSettings,
    publicUrl: () => server().publicUrl,
    url: () => url().here ?? '',
    failed(request, reason) {
      const address = clientAddress(request, server().trustProxy);
      report.add(address, reason, reason);
      return attempts.failed(address);
    },
    exhausted: (request) => attempts.exhausted(clientAddress(request, server().trustProxy)),
    isAllowedOrigin: (origin) =>
      server().allowedOrigins.includes(origin) || (URL.canParse(origin) && isLoopback(new URL(origin).hostname)),
    addressGuard: gateway.config().gateway.allowInternalUrls
      ? undefined
      : { assertPublic: (address) => assertPublicUrl(address), lookup: publicLookup },
    warn: (message) => process.emitWarning(message),
  };
  // Whether OAuth is on is decided at start.
  const oauth = signsIn(auth.settings()) ? (await import('../auth/oauth.ts')).createOAuth(deps) : undefined;
  const own = oauthSettings()?.builtin;
  const newPassword =
    own && own.password === undefined ? await (await import('../auth/owner.ts')).ensureOwner(store) : undefined;

  const secret = await store.settings.secret('console');
  const load = late(openSessions);
  const sessions: LateSessions = {
    load,
    check: (request) =>
      /\bsluice_/.test(request.headers.cookie ?? '') ? load().then((known) => known.check(request)) : undefined,
  };

  async function openSessions(): Promise<Sessions> {
    const [{ createCookies }, { createOwnerDoor }, { createSessions }, { createStoredSessions }] = await Promise.all([
      import('./session/cookie.ts'),
      import('./session/owner-door.ts'),
      import('./session/sessions.ts'),
      import('./session/stored-sessions.ts'),
    ]);
    const door = own &&
      oauth && {
        settings: store.settings,
        secret,
        configured: () => oauthSettings()?.builtin?.password,
        failed(address: string, reason: string) {
          report.add(address, reason, reason);
          return attempts.failed(address);
        },
        exhausted: attempts.exhausted,
        identity: oauth.owner,
      };
    const stored = createStoredSessions(store.oauth, secret);
    const issuer = await issuerEntrance();
    const renewing =
      issuer && (await import('./session/renewing.ts')).createRenewing({ issuer: issuer.door, stored, shared });
    return createSessions({
      cookies: createCookies(secret),
      owner: door && createOwnerDoor(door),
      issuer,
      stored,
      renewing,
      shared,
    });
  }

  async function issuerEntrance(): Promise<IssuerEntrance | undefined> {
    const { issuer, console: client, scopes = {} } = oauthSettings() ?? {};
    if (!oauth || issuer === undefined || client === undefined) return undefined;
    const { createIssuerDoor } = await import('./session/issuer-door.ts');
    return {
      door: createIssuerDoor({ issuer, client, mapped: Object.keys(scopes) }),
      base: (host) => oauth.base({ headers: { host: host ?? undefined } }),
      failed(address, reason) {
        report.add(address, reason, reason);
        return attempts.failed(address);
      },
      exhausted: attempts.exhausted,
    };
  }

  const guard: GuardOptions = {
    settings: ofEach([server, auth.settings, () => gateway.config().limits] as const, (of, { mode, token }, limits) => {
      // If the file turns authentication off while we serve the network, do not open access to it.
      const open = mode === 'none' && token === undefined && isLoopback(host);
      return { ...of, host, open, limits, ...(limits.key !== undefined && { rate: limits.key }) };
    }),
    authenticators: ofEach([auth.settings] as const, ({ mode, token }) => [
      ...(token === undefined ? [] : [environmentKey(token)]),
      ...(mode === 'keys' || mode === 'both' ? [keyring] : []),
      ...(oauth && (mode === 'oauth' || mode === 'both') ? [oauth.authenticator] : []),
    ]),
    sessions,
    used: auth.noteUse,
    counted: telemetry.refused,
    count: shared.count,
    resource: oauth?.resource ?? (() => ''),
    challenge: oauth?.challenge ?? keyChallenge,
    refused: tellRefused,
    limited: (fact) => events.record({ type: 'gateway.limit_reached', ...fact }),
  };
  auth.onRevoking(keyring.recheck);
  if (oauth) auth.onRevoking(oauth.recheck);
  return {
    guard,
    onRevoked(listener) {
      keyring.onRevoked(listener);
      oauth?.onRevoked(listener);
    },
    extra: oauth?.handle ?? (() => false),
    insufficient: oauth?.insufficient ?? keyInsufficient,
    security() {
      const { mode, token } = auth.settings();
      const { issuer, builtin } = oauthSettings() ?? {};
      const address = builtin && (server().publicUrl ?? url().here);
      return {
        open: guard.settings().open,
        keys: mode === 'keys' || mode === 'both' || token !== undefined,
        issuers: [issuer, address].filter((known) => known !== undefined),
      };
    },
    ...(newPassword !== undefined && { newPassword }),
    [Symbol.dispose]() {
      report[Symbol.dispose]();
      keyring[Symbol.dispose]();
      oauth?.[Symbol.dispose]();
    },
  };
}

/** With keys only, there is no place to sign in. */
const keyChallenge = (_: IncomingMessage, refused?: string): string =>
  challenge(refused === undefined ? {} : { error: 'invalid_token', description: refused });

const keyInsufficient = (_: IncomingMessage, scope: string): string => challenge(insufficientScope(scope));

/** Derives a value from settings and caches it until one of them changes: every request needs it. */
function ofEach<const S extends readonly (() => unknown)[], T>(
  sources: S,
  work: (...settings: { [I in keyof S]: S[I] extends () => infer R ? R : never }) => T,
): () => T {
  let made: { from: readonly unknown[]; value: T } | undefined;
  return () => {
    const from = sources.map((source) => source());
    if (!made?.from.every((one, index) => one === from[index]))
      made = { from, value: work(...(from as { [I in keyof S]: S[I] extends () => infer R ? R : never })) };
    return made.value;
  };
}
