import type { KeyGrant, StoredKey } from './store.ts';

export interface KeyRow {
  id: string;
  hash: Uint8Array;
  value: string;
  revoked_at: string | null;
}

export function keyOf({ id, hash, value, revoked_at: revokedAt }: KeyRow): StoredKey {
  return {
    id,
    hash: Buffer.from(hash),
    grant: JSON.parse(value) as KeyGrant,
    ...(revokedAt !== null && { revokedAt }),
  };
}
