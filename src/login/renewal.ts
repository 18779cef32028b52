import { hash } from 'node:crypto';
import { alone } from '../kernel/alone.ts';
import { AppError } from '../kernel/errors.ts';
import type { OAuthSettings } from '../wire/credentials.ts';
import type { AccountParts } from './account-parts.ts';
import { configuredClient, type OwnClient } from './client.ts';
import type { Discovered } from './discovery.ts';
import { ownTokens, refresh, refusalOf } from './grants.ts';
import type { Login } from './held-login.ts';
import { isByItself } from './login-target.ts';
import { hostOf, partyOf } from './party.ts';

/** Renews the tokens of an account without asking a user. */
export function createRenewal(parts: AccountParts) {
  const { target, held, requirements, events, principal, owner, shared, fetch } = parts;
  let renewing: Promise<void> | undefined;

  async function renewOnce(): Promise<void> {
    const before = held.login();
    if (isByItself(target())) return signInByItself();
    if (!before) throw held.needed('');
    if (!shared.peers) return refreshTokens(before);
    // What the authorization server answers could not be stored, and it may accept the refresh token only once.
    if (shared.cutOffSince() !== undefined)
      throw new AppError('unavailable', 'The login cannot be renewed while the store cannot be reached. Try again.');
    // Two replicas with one refresh token look like a thief: some servers then end the login.
    const name = hash('sha256', JSON.stringify([target().url, owner]), 'base64url');
    await alone(shared, `renewing login ${name}`, async () => {
      await held.reread();
      if (held.login() === before) await refreshTokens(before);
    });
  }

  async function refreshTokens(before: Login): Promise<void> {
    const { issuer } = before.party.server;
    try {
      await held.keep({ ...before, tokens: await refresh(before.party, before.tokens, fetch) });
    } catch (error) {
      const reason = refusalOf(error);
      if (reason === undefined) throw error;
      // A refresh token may work only once, and another process may have used it first.
      await held.reread();
      if (held.login() !== before) return;
      held.spend();
      events.record({ type: 'login.failed', backend: target().name, issuer: hostOf(issuer), principal, reason });
      throw held.needed(`: ${hostOf(issuer)} no longer accepts the last one`);
    }
    events.record({ type: 'login.refreshed', backend: target().name, issuer: hostOf(issuer), principal });
  }

  async function signInByItself(): Promise<void> {
    const found = await requirements.look();
    const party = partyOf(found, clientOf(found, target().oauth));
    const issuer = hostOf(found.server.issuer);
    try {
      await held.keep({ party, tokens: await ownTokens(party, requirements.scopeFor(found), fetch) });
    } catch (error) {
      const reason = refusalOf(error) ?? 'not reached';
      events.record({ type: 'login.failed', backend: target().name, issuer, principal, reason });
      throw error;
    }
    events.record({ type: 'login.completed', backend: target().name, issuer, principal });
  }

  /** Runs once at a time: concurrent calls share the result. */
  return function renew(): Promise<void> {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
}

function clientOf({ server }: Discovered, settings: OAuthSettings | undefined): OwnClient {
  const client = configuredClient(server, settings);
  if (client?.secret !== undefined) return client;
  throw new AppError('invalid_input', '"grant: client_credentials" requires "clientId" and "clientSecret".');
}
