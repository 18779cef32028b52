import { generateKeyPair, hash, type JsonWebKey } from 'node:crypto';
import { promisify } from 'node:util';
import type { Settings } from '../store/store.ts';
import type { Seal } from '../kernel/seal.ts';

const KEY = 'oauth.keys';

export type SigningKey = JsonWebKey & { kid: string; alg: 'RS256'; use: 'sig' };

/** The keys that sign our tokens. They are created once, so that tokens survive a restart. */
export async function signingKeys(settings: Settings, seal: Seal): Promise<SigningKey[]> {
  const stored = await settings.get(KEY);
  if (typeof stored !== 'string') await settings.put(KEY, seal.seal(JSON.stringify([await newKey()]), KEY));
  return JSON.parse(seal.open((await settings.get(KEY)) as string, KEY)) as SigningKey[];
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
