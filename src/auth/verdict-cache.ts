import { hash } from 'node:crypto';
import type { Verdict } from './authenticator.ts';

type Accepted = Extract<Verdict, { principal: unknown }>;

/** The grant behind a token, which the store can say the end of. */
export interface GrantCheck {
  readonly grant: string;
  revoked(): Promise<boolean>;
}

interface Known {
  readonly verdict: Accepted;
  until: number;
  readonly grant: GrantCheck | undefined;
}

/**
 * Caches verdicts on accepted tokens, so that a call does not pay for verifying a signature. It stores hashes instead
 * of tokens. Refusals are not cached: a token may become valid later, and junk must not fill the cache.
 */
export function createVerdictCache({ size, longest, now }: { size: number; longest: number; now: () => number }) {
  const known = new Map<string, Known>();
  const keyOf = (token: string, resource: string) => hash('sha256', `${resource} ${token}`, 'base64url');
  const isOver = ({ verdict: { expires = Number.POSITIVE_INFINITY } }: Known) => expires <= now();
  return {
    clear: () => known.clear(),
    get(token: string, resource: string): Accepted | undefined {
      const found = known.get(keyOf(token, resource));
      return found && found.until > now() ? found.verdict : undefined;
    },
    /** A token of a grant that was accepted once and has not expired, though it ought to be checked again. */
    held(token: string, resource: string): Accepted | undefined {
      const found = known.get(keyOf(token, resource));
      return found?.grant && !isOver(found) ? found.verdict : undefined;
    },
    put(token: string, resource: string, verdict: Accepted, grant?: GrantCheck): void {
      const key = keyOf(token, resource);
      known.delete(key);
      if (known.size >= size) known.delete(known.keys().next().value as string);
      const until = Math.min(verdict.expires ?? Number.POSITIVE_INFINITY, now() + longest);
      known.set(key, { verdict, until, grant });
    },
    drop: (token: string, resource: string) => void known.delete(keyOf(token, resource)),
    /** Has every token of a grant checked again. */
    expire(): void {
      for (const one of known.values()) if (one.grant) one.until = 0;
    },
    /** Drops the tokens of grants that were revoked. Returns the principals that have no other token here. */
    async sweep(): Promise<ReadonlySet<string>> {
      for (const [key, one] of known) if (isOver(one)) known.delete(key);
      const grants = new Map([...known.values()].flatMap(({ grant }) => (grant ? [[grant.grant, grant]] : [])));
      const gone = new Set<string>();
      for (const { grant, revoked } of grants.values()) if (await revoked()) gone.add(grant);
      const principals = new Set<string>();
      for (const [key, { grant, verdict }] of known)
        if (grant && gone.has(grant.grant)) {
          known.delete(key);
          principals.add(verdict.principal.id);
        }
      for (const { verdict } of known.values()) principals.delete(verdict.principal.id);
      return principals;
    },
  };
}
