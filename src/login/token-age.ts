import type { Tokens } from './grants.ts';

/** So long before its end a token is renewed. */
const EARLY_MS = 30_000;
const YOUNG_MS = 5000;

/** A short-lived token is not renewed all the time. */
export function renewalOf({ expires = Number.POSITIVE_INFINITY, obtained }: Tokens): number {
  return expires - Math.min(EARLY_MS, (expires - obtained) / 10);
}

/** A token this young that is refused will not get better by being renewed. */
export function isFresh({ expires = Number.POSITIVE_INFINITY, obtained }: Tokens): boolean {
  return Date.now() - obtained < Math.min(YOUNG_MS, (expires - obtained) / 2);
}
