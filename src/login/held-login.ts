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
  /** It waits for somebody to sign in, or no longer does. */
  changed(): void;
}

export type HeldLogin = ReturnType<typeof createHeldLogin>;

/** How long what is known is used before the store is asked again: another process may sign in or out. */
const CURRENT_MS = 2000;

const nobody: Readonly<Record<string, string>> = {};

/** A login as this process holds it, in step with the store that other processes write to as well. */
export function createHeldLogin({ store, vault, owner, target, changed }: HeldLoginDeps) {
  let login: Login | undefined;
  /** The stored form of `login`. */
  let stored: Buffer | undefined;
  /** One whose renewal was refused: of no use any more. */
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
    /** What is sent for them: nothing where nobody is signed in. */
    headers: () => headers,
    /** Why it waits for somebody to sign in, if it does. */
    waiting: () => waiting,
    /** A server that never asked who we are is not asked about it either. */
    isCurrent: () => asked && (login ? Date.now() < currentUntil : waiting === undefined),
    /** What is known is good until then, whatever was said before. */
    holdUntil(time: number): void {
      currentUntil = time;
    },

    /** Takes over what another process stored, or removed. */
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

    /** It was refused for good: should the store still have it, it is not taken over again. */
    spend(): void {
      if (login) spent = stored;
      use(undefined);
    },

    /** Somebody signs in anew: what they get counts, whatever it looks like. */
    forgetSpent(): void {
      spent = undefined;
    },

    /** It is gone from the store. */
    drop(): void {
      stored = undefined;
      use(undefined);
    },

    /** It waits for somebody to sign in from now on; the error tells them. */
    needed(why: string): AppError {
      settle(why);
      return loginNeeded(`The server needs a login${why}.`, `Run \`sluice login ${target().name}\`.`);
    },
  };
}
