import { toAppError } from '../kernel/errors.ts';
import type { LoginEvents } from './facts.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Logins as LoginStore } from '../store/store.ts';
import { type Credentials, needsLogin } from '../wire/credentials.ts';
import type { AccountParts } from './account-parts.ts';
import { type Challenge, readChallenge } from './challenge.ts';
import type { Fetch } from './fetch.ts';
import { refusalOf } from './grants.ts';
import { createHeldLogin } from './held-login.ts';
import { isByItself, type LoginTarget, ownerOf } from './login-target.ts';
import { createRefusal } from './refusal.ts';
import { createRenewal } from './renewal.ts';
import { createRequirements } from './requirements.ts';
import { createSignIn } from './sign-in.ts';
import { renewalOf } from './token-age.ts';
import type { Vault } from './vault.ts';

export interface AccountDeps {
  store: LoginStore;
  vault: Vault;
  events: LoginEvents;
  fetch: Fetch;
  /** What each server said when it refused somebody, by its URL: the next one to sign in has not been refused yet. */
  challenges: Map<string, Challenge>;
  /** It waits for somebody to sign in, or somebody has. */
  changed(account: Account): void;
}

export type Account = ReturnType<typeof createAccount>;

/** So long nobody is asked again for a new token, where the old one is still good. */
const PAUSE_MS = 10_000;

/** Somebody's login at one server: what is sent for them, renewed in time, and how they sign in anew. */
export function createAccount(first: LoginTarget, firstUser: Principal, deps: AccountDeps) {
  const { store, vault, events, fetch, challenges } = deps;
  const owner = ownerOf(first, firstUser);
  let described = first;
  let user = firstUser;
  const target = () => described;
  const changed = () => deps.changed(account);
  const held = createHeldLogin({ store, vault, owner, target, changed });
  const requirements = createRequirements({ fetch, held, challenges, target });
  const principal = owner === '' ? 'everybody' : owner;
  const parts: AccountParts = { store, vault, events, fetch, held, requirements, owner, principal, target };
  const renew = createRenewal(parts);
  const refused = createRefusal(parts, renew);

  async function current(): Promise<Readonly<Record<string, string>>> {
    const had = held.login() !== undefined || held.waiting() !== undefined;
    await held.reread();
    const login = held.login();
    if (!login) {
      if (had && !isByItself(target())) throw held.needed('');
      return held.headers();
    }
    const { expires } = login.tokens;
    if (expires === undefined || Date.now() < renewalOf(login.tokens)) return held.headers();
    if (login.tokens.refresh === undefined && !isByItself(target())) {
      if (Date.now() < expires) return held.headers();
      throw held.needed(', because the last one has run out');
    }
    try {
      await renew();
    } catch (error) {
      // As long as the token is good, it does not matter that nobody gives a new one.
      if (refusalOf(error) !== undefined || needsLogin(toAppError(error)) || Date.now() >= expires) throw error;
      held.holdUntil(Math.min(expires, Date.now() + PAUSE_MS));
    }
    return held.headers();
  }

  const credentials: Credentials = {
    headers: () => (held.isCurrent() ? held.headers() : current()),
    async refused(status, header, sent) {
      try {
        return await refused(status, header, sent);
      } catch (error) {
        return toAppError(error);
      }
    },
  };

  const account = {
    credentials,
    target,
    /** Who used it last. */
    principal: () => user,
    /** The same server and user, perhaps described otherwise. */
    aim(next: LoginTarget, by: Principal): void {
      described = next;
      user = by;
    },
    /** Why it waits for somebody to sign in, if it does. */
    waiting: held.waiting,
    secrets(): string[] {
      const login = held.login();
      return login ? [login.tokens.access, login.tokens.refresh ?? ''].filter(Boolean) : [];
    },
    /** What the server said when it was asked without a login. */
    heard: (header: string | undefined): void => requirements.heard(readChallenge(header)),
    /** Looks whether somebody has signed in elsewhere. */
    async look(): Promise<boolean> {
      const before = held.headers();
      await held.reread();
      return held.headers() !== before;
    },
    renew,
    /** Whether the server says of itself where to sign in. */
    isAnnounced: async (): Promise<boolean> => (await requirements.look()).guessed === undefined,
    ...createSignIn(parts, changed),
  };
  return account;
}
