import { randomBytes } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';
import type { LoginEvents } from './facts.ts';
import { isLoopback } from '../kernel/plain-http.ts';
import { hasScope, localOwner, type Principal } from '../kernel/principal.ts';
import type { Logins as LoginStore } from '../store/store.ts';
import type { Credentials } from '../wire/credentials.ts';
import { type Account, createAccount } from './account.ts';
import type { Challenge } from './challenge.ts';
import { createFetch, type FetchGuard } from './fetch.ts';
import { type LoginTarget, ownerOf } from './login-target.ts';
import type { Begun } from './sign-in.ts';
import type { Vault } from './vault.ts';

export interface LoginsDeps {
  store: LoginStore;
  vault: Vault;
  events: LoginEvents;
  /** For servers that a tool call added. */
  guard: FetchGuard;
  /** The URL under which users reach the gateway; undefined if it serves no HTTP. */
  url(): string | undefined;
}

export type Logins = ReturnType<typeof createLogins>;

const LINK_MS = 15 * 60_000;
const POLL_MS = 1000;
const MOST_LINKS = 1000;

interface Invitation {
  account: Account;
  principal: Principal;
  expires: number;
}

/** All logins of this gateway at the servers behind it, and the sign-in links for users. */
export function createLogins({ store, vault, events, guard, url }: LoginsDeps) {
  const accounts = new Map<string, Account>();
  const challenges = new Map<string, Challenge>();
  const listeners = new Set<(target: LoginTarget, principal: Principal) => void>();
  const invitations = new Map<string, Invitation>();
  const begun = new Map<string, Begun & { account: Account; browser: string; expires: number }>();
  let poll: NodeJS.Timeout | undefined;

  function accountOf(target: LoginTarget, principal: Principal): Account {
    const key = JSON.stringify([target.url, ownerOf(target, principal), target.allowInternal]);
    const known = accounts.get(key);
    known?.aim(target, principal);
    if (known) return known;
    const fetch = createFetch({
      guard: target.allowInternal ? undefined : guard,
      isLocal() {
        const { url: server, oauth } = made.target();
        return [server, oauth?.issuer].some((at) => at !== undefined && isLoopback(new URL(at).hostname));
      },
    });
    const made: Account = createAccount(target, principal, { store, vault, events, fetch, challenges, changed });
    accounts.set(key, made);
    return made;
  }

  function changed(account: Account): void {
    if (account.waiting() === undefined) {
      for (const listener of listeners) listener(account.target(), account.principal());
      return;
    }
    // Somebody may sign in with `sluice login` in another process: only the store shows that.
    poll ??= setInterval(look, POLL_MS).unref();
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

  function tidy<T extends { expires: number }>(kept: Map<string, T>): void {
    const now = Date.now();
    for (const [key, { expires }] of kept) if (expires < now || kept.size >= MOST_LINKS) kept.delete(key);
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
      tidy(invitations);
      const ticket = randomBytes(24).toString('base64url');
      const account = accountOf(target, principal);
      invitations.set(ticket, { account, principal, expires: Date.now() + LINK_MS });
      return `${base}/login/${encodeURIComponent(target.name)}?ticket=${ticket}`;
    },

    /** The user a link was made for; undefined if it was used or has expired. */
    invited(ticket: string): { server: string; principal: Principal; isOwner: boolean } | undefined {
      const known = invitations.get(ticket);
      if (!known || known.expires < Date.now()) return undefined;
      const { principal, account } = known;
      return { server: account.target().name, principal, isOwner: principal.id === localOwner.id };
    },

    /** Uses a link. Returns where to send the user, and the value their browser has to bring back. */
    async follow(ticket: string): Promise<{ url: string; browser: string }> {
      const known = invitations.get(ticket);
      invitations.delete(ticket);
      const redirect = callback();
      if (!known || known.expires < Date.now() || redirect === undefined) throw usedUp();
      const isPublic = redirect.startsWith('https:');
      const document = isPublic ? `${url()}/login/client.json` : undefined;
      const { account } = known;
      const started = await account.begin({ redirect, lasting: true, ...(document !== undefined && { document }) });
      const browser = randomBytes(24).toString('base64url');
      tidy(begun);
      begun.set(started.attempt.state, { ...started, account, browser, expires: Date.now() + LINK_MS });
      return { url: started.url, browser };
    },

    /** Completes the sign-in when the user returns. */
    async finish(answer: URLSearchParams, browser: string | undefined): Promise<{ server: string; issuer: string }> {
      const state = answer.get('state') ?? '';
      const known = begun.get(state);
      begun.delete(state);
      // The same browser must finish what it began. Otherwise somebody could be tricked into signing in for another
      // user.
      if (!known || known.expires < Date.now() || known.browser !== browser) throw usedUp();
      return { server: known.account.target().name, issuer: await known.account.finish(known, answer) };
    },
    callback,

    [Symbol.dispose](): void {
      clearInterval(poll);
    },
  };
}

function usedUp(): AppError {
  return new AppError(
    'not_found',
    'This link was already used, has expired, or belongs to another browser. Ask for a new one.',
  );
}
