import type { AppError } from '../kernel/errors.ts';
import type { Logins as LoginStore } from '../store/store.ts';
import { loginNeeded } from '../wire/credentials.ts';
import type { Party, Tokens } from './grants.ts';
import { isByItself, type LoginTarget } from './login-target.ts';
import { renewalOf } from './token-age.ts';
import type { Vault } from './vault.ts';

interface Login {
  party: Party;
  tokens: Tokens;
}

export interface HeldLoginDeps {
  store: LoginStore;
  vault: Vault;
  owner: string;
  target(): LoginTarget;
  /** Called when the account starts or stops waiting for a sign-in. */
  changed(): void;
}

export type HeldLogin = ReturnType<typeof createHeldLogin>;

/** How long to use the login in memory before reading the store again: another process may sign in or out. */
const CURRENT_MS = 2000;

const nobody: Readonly<Record<string, string>> = {};

/** A login in memory, kept in sync with the store, to which other processes write too. */
export function createHeldLogin({ store, vault, owner, target, changed }: HeldLoginDeps) {
  let login: Login | undefined;
  /** The sealed form of `login` in the store. */
  let stored: Buffer | undefined;
  /** A login whose renewal was refused. It is useless, even if the store still has it. */
  let spent: Buffer | undefined;
  let headers = nobody;
  let asked = false;
  let currentUntil = 0;
  let waiting: string | undefined;

  const place = (issuer: string) => [target().url, owner, issuer];

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
    changed();
  }

  return {
    login: () => login,
    /** The headers to send; none if nobody is signed in. */
    headers: () => headers,
    /** Why it waits for a sign-in, if it does. */
    waiting: () => waiting,
    /** Whether the headers can be used without reading the store. True as well if no login was ever needed. */
    isCurrent: () => asked && (login ? Date.now() < currentUntil : waiting === undefined),
    /** Marks what is in memory as current until this time. */
    holdUntil(time: number): void {
      currentUntil = time;
    },

    /** Takes over a login that another process stored or removed. */
    async reread(): Promise<void> {
      asked = true;
      if (isByItself(target())) return;
      const [row] = await store.find(target().url, owner);
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
    },

    async keep(next: Login): Promise<void> {
      if (!isByItself(target())) {
        const { issuer } = next.party.server;
        const sealed = vault.seal(place(issuer), next);
        await store.put(target().url, owner, issuer, sealed);
        stored = sealed;
      }
      use(next);
    },

    /** The login was refused for good: do not take it over again, even if the store still has it. */
    spend(): void {
      if (login) spent = stored;
      use(undefined);
    },

    /** Somebody signed in again: accept the new login, even if it equals the refused one. */
    forgetSpent(): void {
      spent = undefined;
    },

    /** The login was removed from the store. */
    drop(): void {
      stored = undefined;
      use(undefined);
    },

    /** Marks the account as waiting for a sign-in and returns the error that says so. */
    needed(why: string): AppError {
      settle(why);
      return loginNeeded(`The server needs a login${why}.`, `Run \`sluice login ${target().name}\`.`);
    },
  };
}
