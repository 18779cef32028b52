import { hash, randomBytes } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';
import type { KeyGrant, Keys, StoredKey } from '../store/store.ts';
import { assertScopes } from './scopes.ts';

const ID_BYTES = 5;
const KEY = /^slc_([\da-f]{10})_([\w-]{43})$/;

/** The id and the secret in a key; undefined if the text is not a key of ours. */
export function readKey(text: string): { id: string; secret: string } | undefined {
  const match = KEY.exec(text);
  return match ? { id: match[1] as string, secret: match[2] as string } : undefined;
}

/** The secret has 256 random bits and cannot be guessed, so one round of hashing is enough. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

export interface NewKey {
  readonly id: string;
  /** Shown only once; the store has its hash only. */
  readonly key: string;
}

export async function createKey(keys: Keys, grant: KeyGrant): Promise<NewKey> {
  assertScopes(grant.scopes);
  if (grant.scopes.length === 0) throw new AppError('invalid_input', 'A key needs at least one scope.');
  const taken = (await keys.list()).find(({ grant: { name }, revokedAt }) => name === grant.name && !revokedAt);
  if (taken) {
    throw new AppError(
      'conflict',
      `A key named ${grant.name} already exists (${taken.id}). Choose another name, or revoke it first: sluice keys revoke ${taken.id}`,
    );
  }
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  await keys.add({ id, hash: hashSecret(secret), grant });
  return { id, key: `slc_${id}_${secret}` };
}

/** Finds the key by id, or by name among the keys that are not revoked. */
export async function revokeKey(keys: Keys, wanted: string, at: Date): Promise<StoredKey> {
  const all = await keys.list();
  const found =
    all.find(({ id }) => id === wanted) ?? all.find(({ grant, revokedAt }) => grant.name === wanted && !revokedAt);
  if (!found) throw new AppError('not_found', `No key ${wanted}. \`sluice keys list\` shows the keys.`);
  if (!(await keys.revoke(found.id, at.toISOString()))) {
    throw new AppError('conflict', `The key ${found.grant.name} (${found.id}) is already revoked.`);
  }
  return found;
}
