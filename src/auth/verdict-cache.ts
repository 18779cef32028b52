import { hash } from 'node:crypto';
import type { Verdict } from './authenticator.ts';

type Accepted = Extract<Verdict, { principal: unknown }>;

/**
 * Caches verdicts on accepted tokens, so that a call does not pay for verifying a signature. It stores hashes instead
 * of tokens. Refusals are not cached: a token may become valid later, and junk must not fill the cache.
 */
export function createVerdictCache({ size, longest, now }: { size: number; longest: number; now: () => number }) {
  const known = new Map<string, { verdict: Accepted; until: number }>();
  const keyOf = (token: string, resource: string) => hash('sha256', `${resource} ${token}`, 'base64url');
  return {
    clear: () => known.clear(),
    get(token: string, resource: string): Accepted | undefined {
      const key = keyOf(token, resource);
      const found = known.get(key);
      if (!found) return undefined;
      if (found.until > now()) return found.verdict;
      known.delete(key);
      return undefined;
    },
    put(token: string, resource: string, verdict: Accepted): void {
      if (known.size >= size) known.delete(known.keys().next().value as string);
      const until = Math.min(verdict.expires ?? Number.POSITIVE_INFINITY, now() + longest);
      known.set(keyOf(token, resource), { verdict, until });
    },
  };
}
