import type { AuthorizationServer } from 'oauth4webapi';
import { AppError, toAppError } from '../kernel/errors.ts';
import type { EventLog } from '../kernel/events.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Logins as LoginStore } from '../store/store.ts';
import { type Credentials, loginNeeded, type OAuthSettings } from '../wire/credentials.ts';
import { type Challenge, readChallenge } from './challenge.ts';
import { configuredClient, describedClient, type OwnClient, registerClient } from './client.ts';
import { type Discovered, discover } from './discovery.ts';
import type { Fetch } from './fetch.ts';
import {
  type Attempt,
  beginAttempt,
  finishAttempt,
  ownTokens,
  type Party,
  refresh,
  refusalOf,
  revoke,
} from './grants.ts';
import type { Tokens } from './grants.ts';
import { covers, scopesToAsk, unionOf } from './scopes.ts';
import type { Vault } from './vault.ts';

/** A server that may want a login. */
export interface LoginTarget {
  name: string;
  url: string;
  oauth?: OAuthSettings;
  /** Whether everybody has a login of their own there. */
  perPrincipal: boolean;
  allowInternal: boolean;
}

export interface AccountDeps {
  store: LoginStore;
  vault: Vault;
  events: EventLog;
  fetch: Fetch;
  /** What each server said when it refused somebody, by its URL: the next one to sign in has not been refused yet. */
  challenges: Map<string, Challenge>;
  /** It waits for somebody to sign in, or somebody has. */
  changed(account: Account): void;
}

/** Where somebody comes back to after signing in. */
export interface Return {
  redirect: string;
  /** An address that describes us, this redirect among it, to servers that read such. */
  document?: string;
  /** Whether it is the same the next time, so that a client registered for it can be used again. */
  lasting: boolean;
}

/** A login that was begun and not finished. */
export interface Begun {
  url: string;
  attempt: Attempt;
  party: Party;
}

interface Login {
  party: Party;
  tokens: Tokens;
}

/** Whose login it is: everybody's, or one user's. */
export const ownerOf = ({ perPrincipal }: LoginTarget, { id }: Principal): string => (perPrincipal ? id : '');

export type Account = ReturnType<typeof createAccount>;

/** How long what is known is used before the store is asked again: another process may sign in or out. */
const CURRENT_MS = 2000;
/** So long before its end a token is renewed. */
const EARLY_MS = 30_000;
const YOUNG_MS = 5000;
const PAUSE_MS = 10_000;

const nobody: Readonly<Record<string, string>> = {};

/** Somebody's login at one server: what is sent for them, renewed in time, and how they sign in anew. */
export function createAccount(first: LoginTarget, firstUser: Principal, deps: AccountDeps) {
  const { store, vault, events, fetch } = deps;
  const owner = ownerOf(first, firstUser);
  let target = first;
  let user = firstUser;
  let login: Login | undefined;
  /** The stored form of `login`. */
  let stored: Buffer | undefined;
  /** One whose renewal was refused: of no use any more. */
  let spent: Buffer | undefined;
  let headers = nobody;
  let asked = false;
  let currentUntil = 0;
  /** Rights that single calls turned out to need. */
  let extra: string | undefined;
  let waiting: string | undefined;
  let renewing: Promise<void> | undefined;
  let looking: Promise<Discovered> | undefined;

  const challenge = (): Challenge => deps.challenges.get(target.url) ?? {};
  const byItself = () => target.oauth?.grant === 'client_credentials';
  const principal = owner === '' ? 'everybody' : owner;
  const place = (issuer: string) => [target.url, owner, issuer];

  function use(next: Login | undefined): void {
    login = next;
    headers = next ? { authorization: `Bearer ${next.tokens.access}` } : nobody;
    const renewAt = next?.tokens.expires === undefined ? Number.POSITIVE_INFINITY : renewalOf(next.tokens);
    currentUntil = Math.min(Date.now() + CURRENT_MS, renewAt);
    if (next) settle(undefined);
  }

  function settle(reason: string | undefined): void {
    if (waiting === reason) return;
    waiting = reason;
    deps.changed(account);
  }

  /** Takes over what another process stored, or removed. */
  async function reread(): Promise<void> {
    asked = true;
    if (byItself()) return;
    const [row] = await store.find(target.url, owner);
    currentUntil = Math.max(currentUntil, Date.now() + CURRENT_MS);
    if (!row) {
      stored = undefined;
      if (login) use(undefined);
      return;
    }
    if (stored?.equals(row.sealed) || spent?.equals(row.sealed)) return;
    stored = row.sealed;
    const opened = vault.open(place(row.issuer), row.sealed) as Login | undefined;
    if (opened) use(opened);
  }

  async function keep(next: Login): Promise<void> {
    if (!byItself()) {
      const { issuer } = next.party.server;
      const sealed = vault.seal(place(issuer), next);
      await store.put(target.url, owner, issuer, sealed);
      stored = sealed;
    }
    use(next);
  }

  function needed(why: string): AppError {
    settle(why);
    return loginNeeded(`The server needs a login${why}. Run \`sluice login ${target.name}\`.`);
  }

  async function current(): Promise<Readonly<Record<string, string>>> {
    const had = login !== undefined || waiting !== undefined;
    await reread();
    if (!login) {
      if (had && !byItself()) throw needed('');
      return nobody;
    }
    const { expires } = login.tokens;
    if (expires === undefined || Date.now() < renewalOf(login.tokens)) return headers;
    if (login.tokens.refresh === undefined && !byItself()) {
      if (Date.now() < expires) return headers;
      throw needed(', because the last one has run out');
    }
    try {
      await renew();
    } catch (error) {
      // As long as the token is good, it does not matter that nobody gives a new one.
      if (refusalOf(error) !== undefined || toAppError(error).data?.needsLogin === true || Date.now() >= expires)
        throw error;
      currentUntil = Math.min(expires, Date.now() + PAUSE_MS);
    }
    return headers;
  }

  /** However many calls find it out at the same time, it is done once. */
  function renew(): Promise<void> {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function renewOnce(): Promise<void> {
    const before = login;
    if (byItself()) return signInByItself();
    if (!before) throw needed('');
    const { issuer } = before.party.server;
    try {
      await keep({ ...before, tokens: await refresh(before.party, before.tokens, fetch) });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      // A refresh token may serve only once, and another process may have been faster.
      await reread();
      if (login !== before) return;
      spent = stored;
      use(undefined);
      events.record({ type: 'login.failed', backend: target.name, issuer: hostOf(issuer), principal, reason: refusal });
      throw needed(`: ${hostOf(issuer)} no longer accepts the last one`);
    }
    events.record({ type: 'login.refreshed', backend: target.name, issuer: hostOf(issuer), principal });
  }

  async function signInByItself(): Promise<void> {
    const found = await look();
    const client = clientOf(found, target.oauth);
    const party = partyOf(found, client);
    try {
      await keep({ party, tokens: await ownTokens(party, scopeFor(found), fetch) });
    } catch (error) {
      const reason = refusalOf(error) ?? 'not reached';
      events.record({
        type: 'login.failed',
        backend: target.name,
        issuer: hostOf(found.server.issuer),
        principal,
        reason,
      });
      throw error;
    }
    events.record({ type: 'login.completed', backend: target.name, issuer: hostOf(found.server.issuer), principal });
  }

  function look(): Promise<Discovered> {
    const { url, oauth } = target;
    looking ??= discover({ url: new URL(url), challenge: challenge(), fetch, issuer: oauth?.issuer }).finally(() => {
      looking = undefined;
    });
    return looking;
  }

  function scopeFor({ scopes, server }: Discovered): string | undefined {
    const sameIssuer = login?.party.server.issuer === server.issuer;
    return scopesToAsk({
      configured: target.oauth?.scopes,
      challenged: challenge().scope,
      listed: scopes,
      before: unionOf(sameIssuer ? login?.tokens.scope : undefined, extra),
      known: byItself() ? undefined : server.scopes_supported,
    });
  }

  /** The login is not good enough for the server. */
  async function refused(
    status: number,
    header: string | undefined,
    sent: Readonly<Record<string, string>>,
  ): Promise<'retry' | AppError | undefined> {
    const told = readChallenge(header);
    if (status === 403 && told.error !== 'insufficient_scope') return undefined;
    const better = () => login !== undefined && headers.authorization !== sent.authorization;
    if (better()) return 'retry';
    await reread();
    if (better()) return 'retry';
    if (status === 403) extra = unionOf(extra, told.scope);
    else deps.challenges.set(target.url, told);
    const found = await look();
    // Others are refused at the same time, and one of them may have found something better by now.
    if (better()) return 'retry';
    if (found.guessed && !login && target.oauth === undefined) return undefined;
    const isYoung = login !== undefined && isFresh(login.tokens);
    if (status === 403) return moreNeeded(told, isYoung);
    if (byItself()) {
      if (isYoung)
        return new AppError('forbidden', 'The server refuses the token that was made for it. Check "oauth".');
      await renew();
      return 'retry';
    }
    // What one authorization server gave is never shown to another.
    const moved = login !== undefined && login.party.server.issuer !== found.server.issuer;
    if (moved || isYoung || login?.tokens.refresh === undefined) {
      if (login) spent = stored;
      use(undefined);
      return needed(` at ${hostOf(found.server.issuer)}`);
    }
    await renew();
    return 'retry';
  }

  async function moreNeeded({ scope }: Challenge, isYoung: boolean): Promise<'retry' | AppError> {
    if (login && scope !== undefined && covers(login.tokens.scope, scope)) {
      return new AppError(
        'forbidden',
        `The server wants the right ${scope}, which the login has already. The account itself may lack it; ask whoever runs the server.`,
      );
    }
    if (byItself() && !isYoung) {
      await renew();
      return 'retry';
    }
    return needed(` that includes the right ${scope ?? 'it asks for'}`);
  }

  const credentials: Credentials = {
    headers() {
      // A server that never asked who we are is not asked about it either.
      if (asked && (login ? Date.now() < currentUntil : waiting === undefined)) return headers;
      return current();
    },
    async refused(status, header, sent) {
      try {
        return await refused(status, header, sent);
      } catch (error) {
        return toAppError(error);
      }
    },
  };

  async function ownClient(found: Discovered, { redirect, document, lasting }: Return): Promise<OwnClient> {
    const { server } = found;
    const known =
      configuredClient(server, target.oauth) ?? describedClient(server, target.oauth?.clientMetadataUrl ?? document);
    if (known) return known;
    if (!lasting) return registerClient(server, { redirect, scope: scopeFor(found), fetch });
    const spot = ['client', server.issuer, redirect];
    const sealed = await store.client(server.issuer, redirect);
    const before = sealed && (vault.open(spot, sealed) as OwnClient | undefined);
    if (before) return before;
    const client = await registerClient(server, { redirect, scope: scopeFor(found), fetch });
    await store.putClient(server.issuer, redirect, vault.seal(spot, client));
    return client;
  }

  const account = {
    credentials,
    target: () => target,
    /** Who used it last. */
    principal: () => user,
    /** The same server and user, perhaps described otherwise. */
    aim(next: LoginTarget, principal: Principal): void {
      target = next;
      user = principal;
    },
    /** Why it waits for somebody to sign in, if it does. */
    waiting: () => waiting,
    secrets: () => (login ? [login.tokens.access, login.tokens.refresh ?? ''].filter(Boolean) : []),
    /** What the server said when it was asked without a login. */
    heard(header: string | undefined): void {
      deps.challenges.set(target.url, readChallenge(header));
    },
    /** Looks whether somebody has signed in elsewhere. */
    async look(): Promise<boolean> {
      const before = headers;
      await reread();
      return headers !== before;
    },
    renew,

    /** Whether the server says of itself where to sign in. */
    isAnnounced: async (): Promise<boolean> => (await look()).guessed === undefined,

    async begin(to: Return): Promise<Begun> {
      await reread();
      const found = await look();
      const party = partyOf(found, await ownClient(found, to));
      return { party, ...(await beginAttempt(party, { redirect: to.redirect, scope: scopeFor(found) })) };
    },

    async finish({ party, attempt }: Begun, answer: URLSearchParams): Promise<string> {
      const issuer = hostOf(party.server.issuer);
      try {
        const tokens = await finishAttempt(party, attempt, answer, fetch);
        spent = undefined;
        await keep({ party, tokens });
        // Even if nobody waited for it: what a server offers may be known only now.
        deps.changed(account);
      } catch (error) {
        const reason = refusalOf(error) ?? 'not accepted';
        // A client that is no longer known there must not be tried for ever.
        if (reason === 'invalid_client' || reason === 'unauthorized_client')
          await store.deleteClient(party.server.issuer, attempt.redirect);
        events.record({ type: 'login.failed', backend: target.name, issuer, principal, reason });
        throw error;
      }
      events.record({ type: 'login.completed', backend: target.name, issuer, principal });
      return issuer;
    },

    /** Signs out. Whether there was a login. */
    async remove(): Promise<boolean> {
      await reread();
      const before = login;
      const count = await store.delete(target.url, owner);
      if (before) {
        await store.deleteClient(before.party.server.issuer);
        await revoke(before.party, before.tokens, fetch);
      }
      stored = undefined;
      use(undefined);
      if (count > 0) events.record({ type: 'login.removed', backend: target.name, principal });
      return count > 0;
    },
  };
  return account;
}

function clientOf({ server }: Discovered, settings: OAuthSettings | undefined): OwnClient {
  const client = configuredClient(server, settings);
  if (client?.secret !== undefined) return client;
  throw new AppError('invalid_input', '"grant: client_credentials" needs "clientId" and "clientSecret".');
}

/** Only what later requests need is kept. */
function partyOf({ server, resource }: Discovered, client: OwnClient): Party {
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

/** A short-lived token is not renewed all the time. */
function renewalOf({ expires = Number.POSITIVE_INFINITY, obtained }: Tokens): number {
  return expires - Math.min(EARLY_MS, (expires - obtained) / 10);
}

/** A token this young that is refused will not get better by being renewed. */
function isFresh({ expires = Number.POSITIVE_INFINITY, obtained }: Tokens): boolean {
  return Date.now() - obtained < Math.min(YOUNG_MS, (expires - obtained) / 2);
}

export function hostOf(issuer: string): string {
  return URL.parse(issuer)?.host ?? issuer;
}
