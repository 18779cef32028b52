import type { Challenge } from './challenge.ts';
import { type Discovered, discover } from './discovery.ts';
import type { Fetch } from './fetch.ts';
import type { HeldLogin } from './held-login.ts';
import { isByItself, type LoginTarget } from './login-target.ts';
import { scopesToAsk, unionOf } from './scopes.ts';

export interface RequirementsDeps {
  fetch: Fetch;
  held: HeldLogin;
  /** The last challenge of each server, by URL. A user who has not been refused yet needs it to sign in. */
  challenges: Map<string, Challenge>;
  target(): LoginTarget;
}

/** What was learned from the answers of a server. */
export interface KnownNeeds {
  readonly challenge?: Challenge;
  readonly extra?: string;
}

export type Requirements = ReturnType<typeof createRequirements>;

/** What a server requires for signing in: where to sign in, and which scopes to request. */
export function createRequirements({ fetch, held, challenges, target }: RequirementsDeps) {
  /** Scopes that individual calls turned out to need. */
  let extra: string | undefined;
  let looking: Promise<Discovered> | undefined;

  const challenge = (): Challenge => challenges.get(target().url) ?? {};

  return {
    /** Takes the server's challenge. */
    heard(told: Challenge): void {
      challenges.set(target().url, told);
    },

    /** Adds a scope that a call turned out to need. */
    alsoNeeds(scope: string | undefined): void {
      extra = unionOf(extra, scope);
    },

    known(): KnownNeeds {
      const heard = challenges.get(target().url);
      return { ...(heard && { challenge: heard }), ...(extra !== undefined && { extra }) };
    },

    /** Takes over what another replica learned, which may be more than the server told us. */
    learn({ challenge: heard, extra: also }: KnownNeeds): void {
      if (heard && !challenges.has(target().url)) challenges.set(target().url, heard);
      extra = unionOf(extra, also);
    },

    look(): Promise<Discovered> {
      const { url, oauth } = target();
      looking ??= discover({ url: new URL(url), challenge: challenge(), fetch, issuer: oauth?.issuer }).finally(() => {
        looking = undefined;
      });
      return looking;
    },

    scopeFor({ scopes, server }: Discovered): string | undefined {
      const login = held.login();
      const sameIssuer = login?.party.server.issuer === server.issuer;
      return scopesToAsk({
        configured: target().oauth?.scopes,
        challenged: challenge().scope,
        listed: scopes,
        before: unionOf(sameIssuer ? login?.tokens.scope : undefined, extra),
        known: isByItself(target()) ? undefined : server.scopes_supported,
      });
    },
  };
}
