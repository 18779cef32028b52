import { timingSafeEqual } from 'node:crypto';
import type { Principal } from '../kernel/principal.ts';
import type { Authenticator } from './authenticator.ts';
import { hashSecret } from './keys.ts';

export const environmentPrincipal: Principal = { id: 'env', name: 'MCP_AUTH_TOKEN', scopes: new Set(['admin']) };

/** Accepts MCP_AUTH_TOKEN as one key that may do everything. */
export function environmentKey(token: string): Authenticator {
  const expected = hashSecret(token);
  return {
    check: (given) => (timingSafeEqual(hashSecret(given), expected) ? { principal: environmentPrincipal } : undefined),
  };
}
