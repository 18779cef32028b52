import type { Tokens } from './grants.ts';

/** How long before its expiry a token is renewed. */
const EARLY_MS = 30_000;
const YOUNG_MS = 5000;

/** When to renew. A tenth of the lifetime at most, so that a short-lived token is not renewed all the time. */
export function renewalOf({ expires = Number.POSITIVE_INFINITY, obtained }: Tokens): number {
  return expires - Math.min(EARLY_MS, (expires - obtained) / 10);
}

/** Whether the token is so new that renewing it cannot help if it is refused. */
export function isFresh({ expires = Number.POSITIVE_INFINITY, obtained }: Tokens): boolean {
  return Date.now() - obtained < Math.min(YOUNG_MS, (expires - obtained) / 2);
}
