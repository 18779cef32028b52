import type { IncomingMessage } from 'node:http';
import type { Authenticator, Verdict } from '../auth/authenticator.ts';
import type { Principal } from '../kernel/principal.ts';
import type { SessionCheck, Sessions } from './session/sessions.ts';

/** The answer to a caller that gets no access. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 429 | 503;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Why a browser's session does not count any more. */
  readonly ended?: string;
}

/** The caller, or the refusal. `isBrowser`: it signed in to the console; `isInPerson`: not with a given credential. */
export type Admission =
  | { readonly principal: Principal; readonly isBrowser?: true; readonly isInPerson?: boolean }
  | { readonly refusal: Refusal };

export interface AdmissionDeps {
  /** The caller while authentication is off; undefined while it is on. */
  anonymous(request: IncomingMessage): Principal | undefined;
  authenticators(): readonly Authenticator[];
  /** Who sends a cookie instead of a credential. */
  session?: Sessions['check'] | undefined;
  /** The URL a token must have been issued for. */
  resource(request: IncomingMessage): string;
  /** The WWW-Authenticate header for a caller without a valid credential. */
  challenge(request: IncomingMessage, refused?: string): string;
  /** Reports a failed attempt. Waits, or returns for how many seconds further attempts are rejected. */
  failed(request: IncomingMessage, reason: string): Promise<{ retryAfter: number } | undefined>;
  /** Seconds to wait if this principal exceeded its rate limit. */
  exceeded(principal: Principal): number | undefined | Promise<number | undefined>;
}

const RETRY_S = 5;

export type Admit = (request: IncomingMessage) => Admission | Promise<Admission>;

/** Identifies the caller by a key or a token in `Authorization: Bearer` or `X-API-Key`. */
export function createAdmission(deps: AdmissionDeps): Admit {
  return (request) => {
    const everybody = deps.anonymous(request);
    if (everybody) return within(everybody);
    const presented = credentialOf(request);
    if (presented === undefined) {
      const session = deps.session?.(request);
      return session instanceof Promise
        ? session.then((late) => ofSession(request, late))
        : ofSession(request, session);
    }
    if (typeof presented === 'object') return refuse(400, presented.problem);
    const verdict = judge(presented, deps.resource(request));
    return verdict instanceof Promise ? verdict.then((late) => decide(request, late)) : decide(request, verdict);
  };

  function ofSession(request: IncomingMessage, session: SessionCheck | undefined): Admission | Promise<Admission> {
    if (session === undefined) {
      return refuse(401, 'Unauthorized: Missing or invalid bearer token', {
        'www-authenticate': deps.challenge(request),
      });
    }
    if ('forged' in session) return refuse(403, session.forged);
    if ('verdict' in session) return ofBrowser(session.verdict, true);
    const verdict = judge(session.credential, deps.resource(request));
    return verdict instanceof Promise
      ? verdict.then((late) => ofBrowser(late, session.inPerson))
      : ofBrowser(verdict, session.inPerson);
  }

  /** A session that no longer holds is no failed attempt: the gateway itself sealed it. */
  async function ofBrowser(verdict: Verdict | undefined, isInPerson: boolean): Promise<Admission> {
    if (verdict && 'principal' in verdict) {
      const admitted = await within(verdict.principal);
      return 'principal' in admitted ? { ...admitted, isBrowser: true, isInPerson } : admitted;
    }
    if (verdict && 'unavailable' in verdict) return unavailable(verdict.unavailable);
    const ended = `Your session has ended (${verdict?.refused ?? 'the key is not known any more'}). Sign in again.`;
    return { refusal: { status: 401, message: `Unauthorized: ${ended}`, headers: {}, ended } };
  }

  /** Asks the authenticators in order. Stays synchronous unless one of them has to wait. */
  function judge(token: string, resource: string): Verdict | undefined | Promise<Verdict | undefined> {
    const all = deps.authenticators();
    for (const [index, authenticator] of all.entries()) {
      const verdict = authenticator.check(token, resource);
      if (verdict instanceof Promise) return judgeOn(verdict, all.slice(index + 1), token, resource);
      if (verdict) return verdict;
    }
    return undefined;
  }

  function decide(request: IncomingMessage, verdict: Verdict | undefined): Admission | Promise<Admission> {
    if (verdict && 'principal' in verdict) return within(verdict.principal);
    if (verdict && 'unavailable' in verdict) return unavailable(verdict.unavailable);
    return turnAway(request, verdict?.refused ?? 'unknown credential');
  }

  function within(principal: Principal): Admission | Promise<Admission> {
    const seconds = deps.exceeded(principal);
    return seconds instanceof Promise ? seconds.then((late) => admit(principal, late)) : admit(principal, seconds);
  }

  async function turnAway(request: IncomingMessage, reason: string): Promise<Admission> {
    const wait = await deps.failed(request, reason);
    if (wait) {
      const message = `Too many failed attempts: try again in ${wait.retryAfter} s.`;
      return refuse(429, message, { 'retry-after': String(wait.retryAfter) });
    }
    return refuse(401, `Unauthorized: Invalid token (${reason})`, {
      'www-authenticate': deps.challenge(request, reason),
    });
  }
}

async function judgeOn(
  first: Promise<Verdict | undefined>,
  others: readonly Authenticator[],
  token: string,
  resource: string,
): Promise<Verdict | undefined> {
  const verdict = await first;
  if (verdict) return verdict;
  for (const other of others) {
    const next = await other.check(token, resource);
    if (next) return next;
  }
  return undefined;
}

/** Not a failed attempt: the credential may well be valid. */
function unavailable(why: string): Admission {
  const next = `Try again in ${RETRY_S} s. If that does not help, ask the operator of this gateway to check its store.`;
  return refuse(503, `Service unavailable: ${why} ${next}`, { 'retry-after': String(RETRY_S) });
}

function admit(principal: Principal, seconds: number | undefined): Admission {
  if (seconds === undefined) return { principal };
  return refuse(429, `Too many requests: try again in ${seconds} s.`, { 'retry-after': String(seconds) });
}

function refuse(status: Refusal['status'], message: string, headers: Refusal['headers'] = {}): { refusal: Refusal } {
  return { refusal: { status, message, headers } };
}

const LONGEST = 16_384;

function credentialOf({ headers }: IncomingMessage): string | { problem: string } | undefined {
  const { authorization } = headers;
  const apiKey = headers['x-api-key'];
  const bearer = authorization === undefined ? undefined : /^bearer +([^\s,]+) *$/i.exec(authorization)?.[1];
  if (typeof apiKey !== 'string' || apiKey === '')
    return bearer !== undefined && bearer.length <= LONGEST ? bearer : undefined;
  if (bearer !== undefined && bearer !== apiKey) {
    return { problem: 'Bad request: Authorization and X-API-Key contain different credentials. Send only one.' };
  }
  return apiKey.length <= LONGEST ? apiKey : undefined;
}
