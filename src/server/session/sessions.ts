import type { IncomingMessage } from 'node:http';
import type { Verdict } from '../../auth/authenticator.ts';
import type { Cookies, Held } from './cookie.ts';
import type { OwnerDoor } from './owner-door.ts';

export interface Sessions {
  readonly cookies: Cookies;
  readonly owner: OwnerDoor | undefined;
  /** Who sends a request with a cookie instead of a credential; undefined if it has none. */
  check(request: IncomingMessage): SessionCheck | undefined | Promise<SessionCheck | undefined>;
}

/** `credential` is still to be judged. */
export type SessionCheck =
  | { readonly credential: string }
  | { readonly verdict: Verdict }
  | { readonly forged: string };

const safe: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Sessions count for the API only: MCP clients and everything else send their credential. */
export function createSessions(cookies: Cookies, owner: OwnerDoor | undefined): Sessions {
  async function checked(session: Held): Promise<SessionCheck> {
    if (session.credential !== undefined) return { credential: session.credential };
    const verdict = await owner?.check(session.owner, cookies.expires(session));
    return { verdict: verdict ?? { refused: 'signing in with the password is switched off' } };
  }

  return {
    cookies,
    owner,
    check(request) {
      const { url = '', method, headers } = request;
      if (!url.startsWith('/api/v1/') || !cookies.isIn(headers.cookie)) return undefined;
      const session = cookies.read(headers.cookie);
      if (!session) return { verdict: { refused: 'the session has ended' } };
      if (!safe.has(method) && !cookies.isOurs(request, session))
        return { forged: 'Forbidden: X-Sluice-Csrf is missing or wrong. GET /api/v1/session returns it as "csrf".' };
      return checked(session);
    },
  };
}
