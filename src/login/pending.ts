import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { AppError } from '../kernel/errors.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Shared } from '../kernel/shared.ts';
import type { LoginTarget } from './login-target.ts';
import type { KnownNeeds } from './requirements.ts';
import type { Begun } from './sign-in.ts';
import type { Vault } from './vault.ts';

/** For whom and where a browser is to sign in. The browser may come to another replica than the one that invited it. */
export interface Invitation {
  readonly target: LoginTarget;
  readonly principal: Principal;
  /** What the replica learned from the server so far. */
  readonly needs: KnownNeeds;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** A sign-in whose browser is at the authorization server. */
export interface Visit extends Invitation, Pick<Begun, 'attempt' | 'party'> {
  /** What the browser has to bring back. */
  readonly browser: string;
}

interface Kinds {
  link: Invitation;
  visit: Visit;
}

type Kind = keyof Kinds;

const LONGEST_MS = 15 * 60_000;
const LATE_MS = 500;
export const expiry = (): number => Date.now() + LONGEST_MS;

/** Shown to whoever opens a link: it does not say where the store is. */
function unavailable(cause: unknown): never {
  throw new AppError('unavailable', 'Sluice cannot reach its store at the moment. Try again in a few seconds.', {
    cause,
    saysWhen: true,
  });
}

/** What waits for a browser, each under a secret that only the browser has. Sealed: it contains secrets of clients. */
export function createPending(shared: Pick<Shared, 'keep' | 'take'>, vault: Vault) {
  const keyOf = (kind: Kind, secret: string) => `sign-in ${kind} ${hash('sha256', secret, 'base64url')}`;

  /** Whoever hands out a link does not wait until it is stored, and a program opens it at once. */
  async function takeStored(key: string, first: Promise<string | undefined>): Promise<string | undefined> {
    const found = await first.catch(unavailable);
    if (found !== undefined) return found;
    await setTimeout(LATE_MS);
    return await Promise.resolve(shared.take(key)).catch(unavailable);
  }

  return {
    keep<K extends Kind>(kind: K, secret: string, value: Kinds[K]): void | Promise<void> {
      const { principal, expires } = value;
      const scopes = principal.scopes === 'all' ? 'all' : [...principal.scopes];
      const key = keyOf(kind, secret);
      const sealed = vault.seal([key], { ...value, principal: { ...principal, scopes } });
      // The clock of another replica may differ from ours.
      const ms = Math.min(LONGEST_MS, expires - Date.now());
      return shared.keep(key, sealed.toString('latin1'), ms, `sign-in ${principal.id}`)?.catch(unavailable);
    },
    /** Works once. */
    async take<K extends Kind>(kind: K, secret: string): Promise<Kinds[K] | undefined> {
      const key = keyOf(kind, secret);
      const taken = shared.take(key);
      const sealed = taken instanceof Promise ? await takeStored(key, taken) : taken;
      const opened = sealed === undefined ? undefined : vault.open([key], Buffer.from(sealed, 'latin1'));
      if (opened === undefined) return undefined;
      const { principal, ...value } = opened as Kinds[K] & { principal: { scopes: 'all' | string[] } };
      const scopes = principal.scopes === 'all' ? 'all' : new Set(principal.scopes);
      return { ...value, principal: { ...principal, scopes } } as unknown as Kinds[K];
    },
  };
}
