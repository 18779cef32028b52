import { toAppError } from '../kernel/errors.ts';
import type { LoginEvents } from './facts.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Shared } from '../kernel/shared.ts';
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
  shared: Shared;
  vault: Vault;
  events: LoginEvents;
  fetch: Fetch;
  /** The last challenge of each server, by URL. A user who has not been refused yet needs it to sign in. */
  challenges: Map<string, Challenge>;
  /** Called when the account starts to wait for a sign-in, or got one. */
  changed(account: Account): void;
}

export type Account = ReturnType<typeof createAccount>;

/** How long to wait before asking for a new token again while the old one is still valid. */
const PAUSE_MS = 10_000;
/** How long to use the login in memory before reading the store again: another process may sign in or out. */
const CURRENT_MS = 2000;
/** The same if the store tells of changes. */
const TOLD_MS = 30_000;

/** A user's login at one server: the headers to send, renewal in time, and signing in again. */
export function createAccount(first: LoginTarget, firstUser: Principal, deps: AccountDeps) {
  const { store, shared, vault, events, fetch, challenges } = deps;
  const owner = ownerOf(first, firstUser);
  let described = first;
  let user = firstUser;
  const target = () => described;
  const changed = () => deps.changed(account);
  const held = createHeldLogin({
    store,
    vault,
    owner,
    currentMs: shared.peers ? TOLD_MS : CURRENT_MS,
    target,
    changed,
  });
  const requirements = createRequirements({ fetch, held, challenges, target });
  const principal = owner === '' ? 'everybody' : owner;
  const parts: AccountParts = { store, shared, vault, events, fetch, held, requirements, owner, principal, target };
  const renew = createRenewal(parts);
  const refused = createRefusal(parts, renew);

  async function current(): Promise<Readonly<Record<string, string>>> {
    const had = held.login() !== undefined || held.waiting() !== undefined;
    try {
      await held.reread();
    } catch (error) {
      // A call to a server needs its token, not our store, and most servers need no token.
      if (!had) return held.headers();
      if (!held.isValid()) throw error;
      held.holdUntil(Math.min(held.login()?.tokens.expires ?? Number.POSITIVE_INFINITY, Date.now() + PAUSE_MS));
      return held.headers();
    }
    const login = held.login();
    if (!login) {
      if (had && !isByItself(target())) throw held.needed('');
      return held.headers();
    }
    const { expires } = login.tokens;
    if (expires === undefined || Date.now() < renewalOf(login.tokens)) return held.headers();
    if (login.tokens.refresh === undefined && !isByItself(target())) {
      if (Date.now() < expires) return held.headers();
      throw held.needed(', because the last one has expired');
    }
    try {
      await renew();
    } catch (error) {
      // A failed renewal does not matter while the token is still valid.
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
    /** The user who used it last. */
    principal: () => user,
    /** Updates the settings and the user; server and owner stay the same. */
    aim(next: LoginTarget, by: Principal): void {
      described = next;
      user = by;
    },
    /** Why it waits for a sign-in, if it does. */
    waiting: held.waiting,
    hasLogin: () => held.login() !== undefined,
    /** Reads the store again before the login is used next: another replica changed some login. */
    outdate(): void {
      if (!isByItself(target())) held.holdUntil(0);
    },
    /** What was learned from the server about signing in, and what another replica learned. */
    needs: requirements.known,
    learn: requirements.learn,
    secrets(): string[] {
      const login = held.login();
      return login ? [login.tokens.access, login.tokens.refresh ?? ''].filter(Boolean) : [];
    },
    /** Takes the challenge the server sent to a request without a login. */
    heard: (header: string | undefined): void => requirements.heard(readChallenge(header)),
    /** Checks whether somebody signed in through another process. */
    async look(): Promise<boolean> {
      const before = held.headers();
      await held.reread();
      return held.headers() !== before;
    },
    renew,
    /** Whether the server announces where to sign in. */
    isAnnounced: async (): Promise<boolean> => (await requirements.look()).guessed === undefined,
    ...createSignIn(parts, changed),
  };
  return account;
}
