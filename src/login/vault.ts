import { createSeal } from '../kernel/seal.ts';

/** Encrypts secrets for the store. What was sealed for one place cannot be opened for another. */
export interface Vault {
  seal(place: readonly string[], value: unknown): Buffer;
  /** Undefined if it was sealed with another key or for another place, or was altered. */
  open(place: readonly string[], sealed: Buffer): unknown;
}

export function createVault(secret: Buffer): Vault {
  const { seal, open } = createSeal(secret);
  return {
    seal: (place, value) => Buffer.from(seal(JSON.stringify(value), JSON.stringify(place))),
    open(place, sealed) {
      try {
        return JSON.parse(open(sealed.toString(), JSON.stringify(place))) as unknown;
      } catch {
        return undefined;
      }
    },
  };
}
