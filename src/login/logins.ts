import { randomBytes } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';
import type { LoginEvents } from './facts.ts';
import { isLoopback } from '../kernel/plain-http.ts';
import { hasScope, localOwner, type Principal } from '../kernel/principal.ts';
import type { Shared } from '../kernel/shared.ts';
import type { Logins as LoginStore } from '../store/store.ts';
import type { Credentials } from '../wire/credentials.ts';
import { type Account, createAccount } from './account.ts';
import type { Challenge } from './challenge.ts';
import { createFetch, type FetchGuard } from './fetch.ts';
import { type LoginTarget, ownerOf } from './login-target.ts';
import { createPending, expiry, type Invitation } from './pending.ts';
import type { Vault } from './vault.ts';

export interface LoginsDeps {
  store: LoginStore;
  shared: Shared;
  vault: Vault;
  events: LoginEvents;
  /** For servers that a tool call added. */
  guard: FetchGuard;
  /** The URL under which users reach the gateway; undefined if it serves no HTTP. */
  url(): string | undefined;
}

export type Logins = ReturnType<typeof createLogins>;

const POLL_MS = 1000;
/** The same if the store tells of changes, in case that was missed. */
const NET_MS = 30_000;

/** All logins of this gateway at the servers behind it, and the sign-in links for users. */
export function createLogins({ store, shared, vault, events, guard, url }: LoginsDeps) {
  const accounts = new Map<string, Account>();
  const challenges = new Map<string, Challenge>();
  const listeners = new Set<(target: LoginTarget, principal: Principal) => void>();
  const pending = createPending(shared, vault);
  let poll: NodeJS.Timeout | undefined;
  const hearing = shared.peers && shared.hear('logins', () => void lookAround());

  const keyOf = (target: LoginTarget, principal: Principal) =>
    JSON.stringify([target.url, ownerOf(target, principal), target.allowInternal]);

  function accountOf(target: LoginTarget, principal: Principal): Account {
    const known = accounts.get(keyOf(target, principal));
    known?.aim(target, principal);
    return known ?? createNew(target, principal);
  }

  /** The account of an invitation. One that is known here has newer settings. */
  function invitedAccount({ target, principal, needs }: Invitation): Account {
    const account = accounts.get(keyOf(target, principal)) ?? createNew(target, principal);
    account.learn(needs);
    return account;
  }

  function createNew(target: LoginTarget, principal: Principal): Account {
    const fetch = createFetch({
      guard: target.allowInternal ? undefined : guard,
      isLocal() {
        const { url: server, oauth } = made.target();
        return [server, oauth?.issuer].some((at) => at !== undefined && isLoopback(new URL(at).hostname));
      },
    });
    const deps = { store, shared, vault, events, fetch, challenges, changed };
    const made: Account = createAccount(target, principal, deps);
    accounts.set(keyOf(target, principal), made);
    return made;
  }

  function changed(account: Account): void {
    if (account.waiting() === undefined) return signedIn(account);
    // Somebody may sign in with `sluice login` in another process: only the store shows that.
    poll ??= setInterval(look, shared.peers ? NET_MS : POLL_MS).unref();
  }

  function signedIn(account: Account): void {
    for (const listener of listeners) listener(account.target(), account.principal());
  }

  let looking: Promise<void> | undefined;
  let isChanged = false;

  /** Somebody signed in or out on some replica, or a login was renewed: the store does not say which. */
  async function lookAround(): Promise<void> {
    for (const account of accounts.values()) if (account.hasLogin()) account.outdate();
    isChanged = true;
    if (looking) return;
    looking = (async () => {
      while (isChanged) {
        isChanged = false;
        for (const account of accounts.values()) if (!account.hasLogin()) await take(account).catch(() => {});
      }
    })().finally(() => {
      looking = undefined;
    });
    await looking;
  }

  /** Takes a login over. The server may offer its tools only now, even if nothing waited for the login. */
  async function take(account: Account): Promise<void> {
    const waited = account.waiting() !== undefined;
    if ((await account.look()) && !waited) signedIn(account);
  }

  function look(): void {
    const waiting = [...accounts.values()].filter((account) => account.waiting() !== undefined);
    if (waiting.length === 0) {
      clearInterval(poll);
      poll = undefined;
    }
    for (const account of waiting) account.look().catch(() => {});
  }

  /** A shared login affects everybody, so only an admin may sign in for it. */
  function mayInvite({ perPrincipal }: LoginTarget, principal: Principal): boolean {
    return perPrincipal || hasScope(principal, 'admin');
  }

  const callback = () => {
    const base = url();
    return base === undefined ? undefined : `${base}/login/callback`;
  };

  return {
    credentials: (target: LoginTarget, principal: Principal): Credentials => accountOf(target, principal).credentials,
    account: accountOf,
    /** Everything to redact from logs. */
    secrets: () => [...accounts.values()].flatMap((account) => account.secrets()),
    /** Calls the listener when somebody has signed in. */
    onSignIn(listener: (target: LoginTarget, principal: Principal) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** A single-use sign-in link for this caller; undefined if there is no page, or the caller may not sign in. */
    link(target: LoginTarget, principal: Principal): string | undefined {
      const base = url();
      if (base === undefined || target.oauth?.grant === 'client_credentials' || !mayInvite(target, principal))
        return undefined;
      const ticket = randomBytes(24).toString('base64url');
      const needs = accountOf(target, principal).needs();
      const kept = pending.keep('link', ticket, { target, principal, needs, expires: expiry() });
      // Nobody waits for the store: a link that is not in it is unknown, and a person takes longer to open one.
      if (kept) kept.catch(() => {});
      return `${base}/login/${encodeURIComponent(target.name)}?ticket=${ticket}`;
    },

    /** The user a link was made for; undefined if it was used or has expired. */
    async invited(ticket: string): Promise<{ server: string; principal: Principal; isOwner: boolean } | undefined> {
      const known = await pending.take('link', ticket);
      if (!known || known.expires < Date.now()) return undefined;
      // It was only looked at.
      await pending.keep('link', ticket, known);
      const { principal, target } = known;
      return { server: target.name, principal, isOwner: principal.id === localOwner.id };
    },

    /** Uses a link. Returns where to send the user, and the value their browser has to bring back. */
    async follow(ticket: string): Promise<{ url: string; browser: string }> {
      const known = await pending.take('link', ticket);
      const redirect = callback();
      if (!known || known.expires < Date.now() || redirect === undefined) throw usedUp();
      const isPublic = redirect.startsWith('https:');
      const document = isPublic ? `${url()}/login/client.json` : undefined;
      const account = invitedAccount(known);
      const started = await account.begin({ redirect, lasting: true, ...(document !== undefined && { document }) });
      const { party, attempt } = started;
      const browser = randomBytes(24).toString('base64url');
      const { target, principal } = known;
      const needs = account.needs();
      await pending.keep('visit', attempt.state, {
        target,
        principal,
        needs,
        party,
        attempt,
        browser,
        expires: expiry(),
      });
      return { url: started.url, browser };
    },

    /** Completes the sign-in when the user returns. */
    async finish(answer: URLSearchParams, browser: string | undefined): Promise<{ server: string; issuer: string }> {
      const known = await pending.take('visit', answer.get('state') ?? '');
      // The same browser must finish what it began. Otherwise somebody could be tricked into signing in for another
      // user.
      if (!known || known.expires < Date.now() || known.browser !== browser) throw usedUp();
      const account = invitedAccount(known);
      return { server: account.target().name, issuer: await account.finish(known, answer) };
    },
    callback,

    [Symbol.dispose](): void {
      clearInterval(poll);
      hearing?.[Symbol.dispose]();
    },
  };
}

function usedUp(): AppError {
  return new AppError(
    'not_found',
    'This link was already used, has expired, or belongs to another browser. Ask for a new one.',
  );
}
