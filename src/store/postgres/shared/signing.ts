import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Peers } from '../../../kernel/shared.ts';

/**
 * Signs what replicas send each other. The key is 32 random bytes in the database. It is not sealed: whoever reads and
 * writes that database can add API keys for himself anyway. It is not derived from the secret key, because a replica
 * without that one still has to forward, and because neither must help to find the other.
 */
export function signing(key: Buffer): Pick<Peers, 'sign' | 'isSigned'> {
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  return {
    sign: (text) => digest(text).toString('base64url'),
    isSigned(text, signature) {
      const given = Buffer.from(signature, 'base64url');
      const right = digest(text);
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
