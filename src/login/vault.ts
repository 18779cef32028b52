import { createSeal } from '../kernel/seal.ts';

/** Seals what must not lie about in clear. What was sealed for one place opens at no other. */
export interface Vault {
  seal(place: readonly string[], value: unknown): Buffer;
  /** Undefined where it was sealed with another key, for another place, or was altered. */
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
