import { generateKeyPair, hash, type JsonWebKey } from 'node:crypto';
import { promisify } from 'node:util';
import { alone } from '../kernel/alone.ts';
import type { Store } from '../store/store.ts';
import type { Seal } from '../kernel/seal.ts';

const KEY = 'oauth.keys';

export type SigningKey = JsonWebKey & { kid: string; alg: 'RS256'; use: 'sig' };

/** The keys that sign our tokens. They are created once, so that tokens survive a restart and are valid on all replicas. */
export async function signingKeys(
  { settings, shared }: Pick<Store, 'settings' | 'shared'>,
  seal: Seal,
): Promise<SigningKey[]> {
  const stored = (await settings.get(KEY)) ?? (await alone(shared, 'creating the signing keys', create));
  return JSON.parse(seal.open(stored as string, KEY)) as SigningKey[];

  async function create(): Promise<unknown> {
    const others = await settings.get(KEY);
    if (others === undefined) await settings.put(KEY, seal.seal(JSON.stringify([await newKey()]), KEY));
    return others ?? settings.get(KEY);
  }
}

async function newKey(): Promise<SigningKey> {
  // RSA, because every client that checks ID tokens supports it.
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwk = privateKey.export({ format: 'jwk' });
  const kid = hash('sha256', JSON.stringify({ e: jwk.e, kty: jwk.kty, n: jwk.n }), 'base64url');
  return { ...jwk, kid, alg: 'RS256', use: 'sig' };
}

export function publicPart({ kty, n, e, kid, alg, use }: SigningKey): JsonWebKey {
  return { kty, n, e, kid, alg, use };
}
