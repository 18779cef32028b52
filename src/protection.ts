import type { IncomingMessage, ServerResponse } from 'node:http';
import { environmentKey } from './auth/environment-key.ts';
import { openKeyring } from './auth/keyring.ts';
import { createOAuth } from './auth/oauth.ts';
import { ensureOwner } from './auth/owner.ts';
import type { Config } from './host/config/schema.ts';
import { assertPublicUrl, publicLookup } from './wire/url-guard.ts';
import { isLoopback } from './kernel/plain-http.ts';
import type { Runtime } from './runtime.ts';
import { createAttempts } from './server/attempts.ts';
import { clientAddress } from './server/client-address.ts';
import type { GuardOptions } from './server/guard.ts';
import { createRefusalReport, type RefusalFact } from './server/refusal-report.ts';
import { type Security, securityOf } from './server/security.ts';

export interface Protection extends Disposable {
  readonly guard: GuardOptions;
  /** Hears of the principals whose key no longer works. */
  onRevoked(listener: (principals: ReadonlySet<string>) => void): void;
  /** Serves what signing in needs; false if the request is for something else. */
  extra(request: IncomingMessage, response: ServerResponse): boolean;
  /** The WWW-Authenticate header for someone who is known, but lacks a scope. */
  insufficient(request: IncomingMessage, scope: string): string;
  /** How callers can say who they are, for the OpenAPI document. */
  security(): Security | undefined;
  /** The owner's password, if it has just been made: nobody can be told it again. */
  readonly newPassword?: string;
}

/** Who is let in, put together from the configuration, the keys in the store and the environment. */
export async function openProtection(
  { config, loaded, store, events, url }: Pick<Runtime, 'config' | 'loaded' | 'store' | 'events' | 'url'>,
  given: { host?: string | undefined } = {},
): Promise<Protection> {
  const keyring = await openKeyring(store.keys);
  const { authToken } = loaded().environment;
  const fromEnvironment = authToken === undefined ? [] : [environmentKey(authToken)];

  const oauthSettings = () => {
    const { mode, oauth } = config().auth;
    return mode === 'oauth' || mode === 'both' ? oauth : undefined;
  };
  const attempts = createAttempts();
  const tellRefused = (fact: RefusalFact) => events.record({ type: 'auth.refused', ...fact });
  const report = createRefusalReport(tellRefused);
  const oauth = createOAuth({
    store,
    settings: oauthSettings,
    publicUrl: () => config().server.publicUrl,
    url: () => url() ?? '',
    failed(request, reason) {
      const address = clientAddress(request, config().server.trustProxy);
      report.add(address, reason, reason);
      return attempts.failed(address);
    },
    exhausted: (request) => attempts.exhausted(clientAddress(request, config().server.trustProxy)),
    isAllowedOrigin: (origin) =>
      config().server.allowedOrigins.includes(origin) || (URL.canParse(origin) && isLoopback(new URL(origin).hostname)),
    addressGuard: config().gateway.allowInternalUrls
      ? undefined
      : { assertPublic: (address) => assertPublicUrl(address), lookup: publicLookup },
    warn: (message) => process.emitWarning(message),
  });
  const own = oauthSettings()?.builtin;
  const newPassword = own && own.password === undefined ? await ensureOwner(store.settings) : undefined;

  const guard: GuardOptions = {
    settings: ofEach(config, ({ server, auth, limits }) => {
      const host = given.host ?? server.host;
      // A file that turns authentication off while the network is served must not open the door to it.
      const open = auth.mode === 'none' && authToken === undefined && isLoopback(host);
      return { ...server, host, open, limits, ...(limits.key !== undefined && { rate: limits.key }) };
    }),
    authenticators: ofEach(config, ({ auth: { mode } }) => [
      ...fromEnvironment,
      ...(mode === 'keys' || mode === 'both' ? [keyring] : []),
      ...(mode === 'oauth' || mode === 'both' ? [oauth.authenticator] : []),
    ]),
    resource: oauth.resource,
    challenge: oauth.challenge,
    refused: tellRefused,
    limited: (fact) => events.record({ type: 'gateway.limit_reached', ...fact }),
  };
  return {
    guard,
    onRevoked: keyring.onRevoked,
    extra: oauth.handle,
    insufficient: oauth.insufficient,
    security() {
      const { mode } = config().auth;
      const { issuer, builtin } = oauthSettings() ?? {};
      const own = builtin && (config().server.publicUrl ?? url());
      return securityOf({
        open: guard.settings().open,
        keys: mode === 'keys' || mode === 'both' || authToken !== undefined,
        issuers: [issuer, own].filter((known) => known !== undefined),
      });
    },
    ...(newPassword !== undefined && { newPassword }),
    [Symbol.dispose]() {
      report[Symbol.dispose]();
      keyring[Symbol.dispose]();
    },
  };
}

/** What follows from a configuration, worked out once for each: every request asks. */
function ofEach<T>(config: () => Config, work: (config: Config) => T): () => T {
  let made: { from: Config; value: T } | undefined;
  return () => {
    const from = config();
    if (made?.from !== from) made = { from, value: work(from) };
    return made.value;
  };
}
