import { identityOf, type Principal } from '../../kernel/principal.ts';
import type { Backend } from '../backends/backend.ts';

/** Whoever polls gets the same link for so long: each new one is kept for 15 minutes. */
const SAME_MS = 60_000;

type MakeLink = (backend: Backend, principal: Principal) => string | undefined;

/** Links for people who look again and again at what waits for them. */
export function createSignInLinks(make: MakeLink, now: () => number = Date.now): MakeLink {
  const made = new Map<string, { readonly link: string; readonly until: number }>();
  return (backend, principal) => {
    if (!backend.lanes.waitsForLogin(principal)) return undefined;
    const key = `${backend.name} ${identityOf(principal)}`;
    const known = made.get(key);
    if (known && known.until > now()) return known.link;
    for (const [old, { until }] of made) if (until <= now()) made.delete(old);
    const link = make(backend, principal);
    if (link !== undefined) made.set(key, { link, until: now() + SAME_MS });
    return link;
  };
}
