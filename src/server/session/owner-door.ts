import { createHmac } from 'node:crypto';
import type { Verdict } from '../../auth/authenticator.ts';
import { ownerMark, passwordCheck } from '../../auth/owner.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Settings } from '../../store/store.ts';

/** Signing in with the password of the built-in authorization server. */
export interface OwnerDoor {
  /** Returns what a session keeps as proof, or why it is refused. */
  open(password: string, address: string): Promise<{ proof: string } | { refused: string; retryAfter?: number }>;
  check(proof: string | undefined, expires: number): Promise<Verdict>;
}

export interface OwnerDoorDeps {
  readonly settings: Settings;
  /** Signs proofs; the same on all replicas. */
  readonly secret: Buffer;
  /** The password in the configuration, if there is one. */
  configured(): string | undefined;
  /** The owner as a token tells of him. */
  identity(): Pick<Principal, 'id' | 'attributes'>;
  failed(address: string, reason: string): Promise<{ retryAfter: number } | undefined>;
  exhausted(address: string): { retryAfter: number } | undefined;
}

export function createOwnerDoor({
  settings,
  secret,
  configured,
  identity,
  failed,
  exhausted,
}: OwnerDoorDeps): OwnerDoor {
  const check = passwordCheck(settings, configured);

  /** Another text for another password: a new password ends the sessions of the old one. */
  async function proofNow(): Promise<string> {
    const stored = configured() ?? (await ownerMark(settings));
    return createHmac('sha256', secret).update(`owner ${stored}`).digest('base64url');
  }

  return {
    async open(password, address) {
      const blocked = exhausted(address);
      const right = blocked ? false : await check(password);
      if (right === true) return { proof: await proofNow() };
      const wait = blocked ?? (right === 'busy' ? { retryAfter: 5 } : await failed(address, 'wrong owner password'));
      if (!wait) return { refused: 'Wrong password.' };
      return { refused: `Too many attempts. Try again in ${wait.retryAfter} seconds.`, ...wait };
    },
    async check(proof, expires) {
      if (proof === undefined || proof !== (await proofNow())) return { refused: 'the password was changed' };
      return { principal: { ...identity(), name: 'owner', scopes: new Set(['admin']), expires }, expires };
    },
  };
}
