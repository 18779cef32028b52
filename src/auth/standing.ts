import { foreignPage, localOwner, type Principal } from '../kernel/principal.ts';
import type { Keys } from '../store/store.ts';
import { environmentPrincipal } from './environment-key.ts';
import { keyPrincipal } from './key-principal.ts';
import { type AuthSettings, signsIn } from './settings.ts';

/** What somebody may do now, or why nothing any more. */
export type Standing = { readonly principal: Principal } | { readonly lost: string };

/**
 * The present rights of somebody who was admitted before, for work that he left to Sluice. Keys have the rights that they
 * have now. Somebody who signed in has those of his token until it expires: only he can get another one.
 */
export async function standingOf(
  before: Principal,
  { settings, keys, now }: { settings: AuthSettings; keys: Keys; now: number },
): Promise<Standing> {
  const { id } = before;
  const local = [localOwner, foreignPage].find((one) => one.id === id);
  if (local) return { principal: local };
  if (id === environmentPrincipal.id)
    return settings.token === undefined
      ? { lost: 'MCP_AUTH_TOKEN is not set any more' }
      : { principal: environmentPrincipal };
  if (id.startsWith('key:')) {
    const key = (await keys.list()).find((one) => `key:${one.id}` === id);
    if (!key) return { lost: 'the key does not exist any more' };
    if (key.revokedAt !== undefined) return { lost: `the key ${key.grant.name} was revoked` };
    if (key.grant.expiresAt !== undefined && Date.parse(key.grant.expiresAt) <= now)
      return { lost: `the key ${key.grant.name} has expired` };
    return { principal: keyPrincipal(key) };
  }
  if (before.expires === undefined) return { lost: 'this caller cannot be told from others later' };
  if (!signsIn(settings)) return { lost: 'signing in is switched off' };
  return before.expires <= now ? { lost: 'the sign-in has expired' } : { principal: before };
}
