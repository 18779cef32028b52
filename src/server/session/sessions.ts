import type { IncomingMessage } from 'node:http';
import type { Verdict } from '../../auth/authenticator.ts';
import { cannotJudge } from '../../auth/holding.ts';
import { isMarkedElsewhere } from '../../kernel/other-page.ts';
import type { Shared } from '../../kernel/shared.ts';
import type { Cookies, Held } from './cookie.ts';
import type { OwnerDoor } from './owner-door.ts';
import { SESSION_PATH } from './paths.ts';
import type { Issued, IssuerDoor } from './issuer-door.ts';
import type { createRenewing } from './renewing.ts';
import type { StoredSessions, StoredTokens } from './stored-sessions.ts';

export interface Sessions {
  readonly cookies: Cookies;
  readonly owner: OwnerDoor | undefined;
  readonly issuer: IssuerEntrance | undefined;
  /** Who sends a request with a cookie instead of a credential; undefined if it has none. */
  check(request: IncomingMessage): SessionCheck | undefined | Promise<SessionCheck | undefined>;
  /** Begins a session. */
  begin(given: Proof, isSecure: boolean): Promise<{ header: string; held: Held }>;
  /** Ends the session of this cookie for good. */
  end(cookie: string | undefined): Promise<void>;
}

/** Their code is loaded with the first page, or the first request of a browser that is signed in. */
export interface LateSessions extends Pick<Sessions, 'check'> {
  load(): Promise<Sessions>;
}

/** What a browser signs in with. */
export type Proof = { credential: string; issued?: Issued } | { owner: string };

/** Signing in at the issuer of the configuration. */
export interface IssuerEntrance {
  readonly door: IssuerDoor;
  /** Our URL as this browser sees it. */
  base(host: string | null): string;
  failed(address: string, reason: string): Promise<{ retryAfter: number } | undefined>;
  exhausted(address: string): { retryAfter: number } | undefined;
}

/** `credential` is still to be judged. */
export type SessionCheck =
  /** `inPerson`: somebody signed in elsewhere to get it. A credential that was given may be a program's. */
  | { readonly credential: string; readonly inPerson: boolean }
  | { readonly verdict: Verdict }
  | { readonly forged: string };

const safe: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Browsers take cookies up to 4096 bytes. */
const LONGEST_IN_COOKIE = 1500;

export interface SessionsDeps {
  readonly cookies: Cookies;
  readonly owner: OwnerDoor | undefined;
  readonly issuer: IssuerEntrance | undefined;
  readonly stored: StoredSessions;
  readonly renewing: ReturnType<typeof createRenewing> | undefined;
  readonly shared: Pick<Shared, 'cutOffSince'>;
}

/** Sessions count for the API only: MCP clients and everything else send their credential. */
export function createSessions({ cookies, owner, issuer, stored, renewing, shared }: SessionsDeps): Sessions {
  async function kept(session: Held): Promise<StoredTokens | undefined> {
    const known = await stored.find(session.id);
    return known && renewing ? renewing(session.id, known, cookies.expires(session)) : known;
  }

  async function checked(session: Held): Promise<SessionCheck> {
    // Trying would take as long as a connection may, for each request.
    if (shared.cutOffSince() !== undefined) return { verdict: cannotJudge };
    if (await stored.isEnded(session.id)) return { verdict: { refused: 'you signed out' } };
    if (session.credential !== undefined) return { credential: session.credential, inPerson: false };
    if (session.kept) {
      const found = await kept(session).catch(() => 'away' as const);
      if (found === 'away') return { verdict: { unavailable: 'the authorization server does not answer' } };
      if (found) return { credential: found.credential, inPerson: found.issued !== undefined };
      return { verdict: { refused: 'the session has ended' } };
    }
    const verdict = await owner?.check(session.owner, cookies.expires(session));
    return { verdict: verdict ?? { refused: 'signing in with the password is switched off' } };
  }

  return {
    cookies,
    owner,
    issuer,
    check(request) {
      const { url = '', method, headers } = request;
      if (!cookies.isIn(headers.cookie) || !counts(url, method)) return undefined;
      const session = cookies.read(headers.cookie);
      if (!session) return { verdict: { refused: 'it is too old, or the gateway has another secret now' } };
      if (safe.has(method)) return checked(session);
      if (isMarkedElsewhere(headers['sec-fetch-site'])) return { forged: 'Forbidden: another page sent this request.' };
      if (!cookies.isOurs(request, session))
        return { forged: 'Forbidden: X-Sluice-Csrf is missing or wrong. GET /api/v1/session returns it as "csrf".' };
      return checked(session);
    },
    async begin(given, isSecure) {
      if (!('credential' in given) || (!given.issued && given.credential.length <= LONGEST_IN_COOKIE))
        return cookies.write(given, isSecure);
      const begun = cookies.write({ kept: true }, isSecure);
      await stored.keep(begun.held.id, given, cookies.expires(begun.held));
      return begun;
    },
    async end(cookie) {
      const session = cookies.read(cookie);
      if (session) await stored.end(session.id, cookies.expires(session));
    },
  };
}

/** Whoever signs in is nobody yet, whatever cookie is left from before. */
function counts(url: string, method: string | undefined): boolean {
  const path = URL.parse(url, 'http://here')?.pathname ?? '';
  return path.startsWith('/api/v1/') && !(method === 'POST' && path === SESSION_PATH);
}
