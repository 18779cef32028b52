import type { AppError } from '../kernel/errors.ts';
import type { Logins as LoginStore } from '../store/store.ts';
import { loginNeeded } from '../wire/credentials.ts';
import type { Party, Tokens } from './grants.ts';
import { isByItself, type LoginTarget } from './login-target.ts';
import { renewalOf } from './token-age.ts';
import type { Vault } from './vault.ts';

export interface Login {
  party: Party;
  tokens: Tokens;
}

export interface HeldLoginDeps {
  store: LoginStore;
  vault: Vault;
  owner: string;
  /** How long to use the login in memory before reading the store again: another process may sign in or out. */
  currentMs: number;
  target(): LoginTarget;
  /** Called when the account starts or stops waiting for a sign-in. */
  changed(): void;
}

export type HeldLogin = ReturnType<typeof createHeldLogin>;

const nobody: Readonly<Record<string, string>> = {};

/** A login in memory, kept in sync with the store, to which other processes write too. */
export function createHeldLogin({ store, vault, owner, currentMs, target, changed }: HeldLoginDeps) {
  let login: Login | undefined;
  /** The sealed form of `login` in the store. */
  let stored: Buffer | undefined;
  /** A login whose renewal was refused. It is useless, even if the store still has it. */
  let spent: Buffer | undefined;
  let headers = nobody;
  let asked = false;
  let currentUntil = 0;
  let waiting: string | undefined;
  /** A login that could not be stored. It may be the only valid one: authorization servers replace refresh tokens. */
  let unsaved: Login | undefined;

  const place = (issuer: string) => [target().url, owner, issuer];

  function use(next: Login | undefined): void {
    login = next;
    headers = next ? { authorization: `Bearer ${next.tokens.access}` } : nobody;
    currentUntil = Math.min(Date.now() + currentMs, renewAt());
    if (next) settle(undefined);
  }

  function renewAt(): number {
    return login?.tokens.expires === undefined ? Number.POSITIVE_INFINITY : renewalOf(login.tokens);
  }

  async function save(next: Login): Promise<void> {
    const { issuer } = next.party.server;
    const sealed = vault.seal(place(issuer), next);
    await store.put(target().url, owner, issuer, sealed);
    stored = sealed;
    if (unsaved === next) unsaved = undefined;
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
    /** Whether its token has not expired yet. */
    isValid: () => login !== undefined && Date.now() < (login.tokens.expires ?? Number.POSITIVE_INFINITY),
    /** Marks what is in memory as current until this time. */
    holdUntil(time: number): void {
      currentUntil = time;
    },

    /** Takes over a login that another process stored or removed. */
    async reread(): Promise<void> {
      if (isByItself(target())) {
        asked = true;
        return;
      }
      if (unsaved) await save(unsaved);
      const [row] = await store.find(target().url, owner);
      asked = true;
      const now = Date.now();
      const renewal = renewAt();
      currentUntil = Math.max(currentUntil, renewal > now ? Math.min(renewal, now + currentMs) : now + currentMs);
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

    /** Takes and stores a login. If it cannot be stored now, that is made up for at the next chance. */
    async keep(next: Login): Promise<void> {
      if (!isByItself(target())) {
        unsaved = next;
        try {
          await save(next);
        } catch (error) {
          use(next);
          throw error;
        }
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
      stored = unsaved = undefined;
      use(undefined);
    },

    /** Marks the account as waiting for a sign-in and returns the error that says so. */
    needed(why: string): AppError {
      settle(why);
      return loginNeeded(`The server needs a login${why}.`, `Run \`sluice login ${target().name}\`.`);
    },
  };
}
