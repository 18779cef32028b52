import type { AccountParts } from './account-parts.ts';
import { configuredClient, describedClient, type OwnClient, registerClient } from './client.ts';
import type { Discovered } from './discovery.ts';
import { type Attempt, beginAttempt, finishAttempt, type Party, refusalOf, revoke } from './grants.ts';
import { hostOf, partyOf } from './party.ts';

/** Where the user returns after signing in. */
export interface Return {
  redirect: string;
  /** URL of our client metadata with this redirect, for servers that support it. */
  document?: string;
  /** Whether the redirect is the same next time, so that a client registered for it can be reused. */
  lasting: boolean;
}

/** A sign-in that was started but not finished. */
export interface Begun {
  url: string;
  attempt: Attempt;
  party: Party;
}

/** Signs a user in to an account, and out of it. */
export function createSignIn(
  { target, store, vault, held, requirements, events, owner, principal, fetch }: AccountParts,
  signedIn: () => void,
) {
  async function ownClient(found: Discovered, { redirect, document, lasting }: Return): Promise<OwnClient> {
    const { server } = found;
    const { oauth } = target();
    const known = configuredClient(server, oauth) ?? describedClient(server, oauth?.clientMetadataUrl ?? document);
    if (known) return known;
    const register = () => registerClient(server, { redirect, scope: requirements.scopeFor(found), fetch });
    if (!lasting) return register();
    const spot = ['client', server.issuer, redirect];
    const sealed = await store.client(server.issuer, redirect);
    const before = sealed && (vault.open(spot, sealed) as OwnClient | undefined);
    if (before) return before;
    const client = await register();
    await store.putClient(server.issuer, redirect, vault.seal(spot, client));
    return client;
  }

  return {
    async begin(to: Return): Promise<Begun> {
      await held.reread();
      const found = await requirements.look();
      const party = partyOf(found, await ownClient(found, to));
      const scope = requirements.scopeFor(found);
      return { party, ...(await beginAttempt(party, { redirect: to.redirect, scope })) };
    },

    async finish({ party, attempt }: Pick<Begun, 'party' | 'attempt'>, answer: URLSearchParams): Promise<string> {
      const issuer = hostOf(party.server.issuer);
      try {
        const tokens = await finishAttempt(party, attempt, answer, fetch);
        held.forgetSpent();
        await held.keep({ party, tokens });
        // Call this even if nothing waited for the login: the server may offer its tools only now.
        signedIn();
      } catch (error) {
        const reason = refusalOf(error) ?? 'not accepted';
        // Do not keep trying a client that the server no longer knows.
        if (reason === 'invalid_client' || reason === 'unauthorized_client')
          await store.deleteClient(party.server.issuer, attempt.redirect);
        events.record({ type: 'login.failed', backend: target().name, issuer, principal, reason });
        throw error;
      }
      events.record({ type: 'login.completed', backend: target().name, issuer, principal });
      return issuer;
    },

    /** Signs out. Returns whether there was a login. */
    async remove(): Promise<boolean> {
      await held.reread();
      const before = held.login();
      const count = await store.delete(target().url, owner);
      if (before) {
        await store.deleteClient(before.party.server.issuer);
        await revoke(before.party, before.tokens, fetch);
      }
      held.drop();
      if (count > 0) events.record({ type: 'login.removed', backend: target().name, principal });
      return count > 0;
    },
  };
}
