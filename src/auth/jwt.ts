import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { AppError, messageOf } from '../kernel/errors.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Authenticator, Verdict } from './authenticator.ts';
import { cannotJudge } from './holding.ts';
import { comparable } from './resource.ts';
import { createVerdictCache, type GrantCheck } from './verdict-cache.ts';

/** An authorization server whose tokens we accept. */
export interface TrustedIssuer {
  readonly issuer: string;
  keys(): Promise<JWTVerifyGetKey>;
  /** Audiences to accept besides the URL of the resource. */
  readonly audiences?: readonly string[];
  /** Maps their scopes to ours. Without it, the token's own scopes count. */
  readonly scopes?: Readonly<Record<string, readonly string[]>>;
  /** Whether the grant behind the token was revoked. Throws if that cannot be found out. */
  revoked?(claims: JWTPayload): Promise<boolean>;
}

export interface JwtSettings {
  issuers(): readonly TrustedIssuer[];
  now?: () => number;
  /** Whether grants could not be checked for so long that no token of theirs holds any more. */
  isCutOff?: () => boolean;
}

export interface JwtAuthenticator extends Authenticator {
  /** Clears the cache, so that every token is checked again. */
  forget(): void;
  /** Some grant was revoked, perhaps on another replica. Returns the principals that were left without a valid token. */
  recheck(): Promise<ReadonlySet<string>>;
}

/** Only algorithms that need the issuer's private key: with HS256 its public key would do. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
const LEEWAY_S = 10;
const REMEMBERED = 2000;
const REMEMBERED_MS = 60_000;

/** Accepts access tokens that are JWTs (RFC 9068): checks signature, audience, expiry and scopes. */
export function createJwtAuthenticator(settings: JwtSettings): JwtAuthenticator {
  const { issuers, now = Date.now, isCutOff = () => false } = settings;
  const cache = createVerdictCache({ size: REMEMBERED, longest: REMEMBERED_MS, now });
  /** Counts calls of `forget` and `recheck`. */
  let age = 0;
  return {
    forget() {
      age++;
      cache.clear();
    },
    recheck() {
      age++;
      cache.expire();
      return cache.sweep();
    },
    check(token, resource) {
      const known = cache.get(token, resource);
      if (known) return known;
      if (!looksLikeJwt(token)) return undefined;
      const asked = age;
      return judge(token, resource, issuers(), now).then(({ verdict, grant }) => {
        if ('unavailable' in verdict) return (isCutOff() ? undefined : cache.held(token, resource)) ?? verdict;
        // Do not cache a verdict that was reached before `forget` was called: the grant may be revoked by now.
        if ('refused' in verdict) cache.drop(token, resource);
        else if (asked === age) cache.put(token, resource, verdict, grant);
        return verdict;
      });
    },
  };
}

function looksLikeJwt(token: string): boolean {
  return token.startsWith('eyJ') && token.split('.').length === 3;
}

async function judge(
  token: string,
  resource: string,
  issuers: readonly TrustedIssuer[],
  now: () => number,
): Promise<{ verdict: Verdict; grant?: GrantCheck }> {
  const { decodeJwt, errors, jwtVerify } = await import('jose');
  const refuse = (refused: string) => ({ verdict: { refused } });
  let issuer: TrustedIssuer | undefined;
  try {
    const { iss } = decodeJwt(token);
    issuer = issuers.find((known) => known.issuer === iss);
  } catch {
    return refuse('this is not a JWT');
  }
  if (!issuer) return refuse('it was issued by another authorization server');
  const { revoked } = issuer;
  // The keys of another issuer are not in our store: that they cannot be read is its own error.
  const isStoreDown = (error: unknown) => revoked !== undefined && isDown(error);
  let keys: JWTVerifyGetKey;
  try {
    keys = await issuer.keys();
  } catch (error) {
    if (isStoreDown(error)) return { verdict: cannotJudge };
    throw error;
  }
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer: issuer.issuer,
      clockTolerance: LEEWAY_S,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'sub', 'aud'],
    });
    if (!isText(payload.sub)) return refuse('its sub is missing or wrong');
    if (!isMeantFor(payload, resource, issuer)) return refuse('it is not meant for the URL it was sent to');
    const grant = revoked && grantOf(payload, () => revoked(payload));
    if (await grant?.revoked()) return refuse('it was revoked');
    const several = issuers.length > 1;
    const expires = ((payload.exp as number) + LEEWAY_S) * 1000;
    const principal = { ...principalOf(payload.sub, payload, issuer, several), expires };
    return { verdict: { principal, expires }, ...(grant && { grant }) };
  } catch (error) {
    if (isStoreDown(error)) return { verdict: cannotJudge };
    if (error instanceof errors.JWTExpired) return refuse('it has expired');
    if (error instanceof errors.JWTClaimValidationFailed) {
      return refuse(error.claim === 'nbf' ? 'it is not valid yet' : `its ${error.claim} is missing or wrong`);
    }
    if (error instanceof errors.JWKSNoMatchingKey) return refuse('it is signed with an unknown key');
    if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) throw unreachable(issuer, error);
    if (error.code === 'ERR_JOSE_GENERIC') throw unreachable(issuer, error);
    return refuse('its signature is not valid');
  }
}

const isDown = (error: unknown) =>
  error instanceof AppError && (error.code === 'unavailable' || error.code === 'timeout');

/** Tokens without a grant of their own are checked one by one. */
const grantOf = ({ grant, jti, sub }: JWTPayload, revoked: () => Promise<boolean>): GrantCheck => ({
  grant: JSON.stringify([grant, ...(grant === undefined ? [jti, sub] : [])]),
  revoked,
});

/** A problem with the issuer, not with the token. */
function unreachable({ issuer }: TrustedIssuer, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('unavailable', `Cannot read the keys of ${issuer}: ${messageOf(cause)}. Try again later.`, {
    cause,
  });
}

function isMeantFor({ aud }: JWTPayload, resource: string, { audiences = [] }: TrustedIssuer): boolean {
  const named = typeof aud === 'string' ? [aud] : (aud ?? []);
  const wanted = comparable(resource);
  return named.some((one) => audiences.includes(one) || (wanted !== undefined && comparable(one) === wanted));
}

/** Do not convert other types: the number 8 and the text "8" are different users. */
const isText = (claim: unknown): claim is string => typeof claim === 'string' && claim !== '' && claim.isWellFormed();

const TOLD = ['email', 'preferred_username', 'name', 'client_id', 'azp'] as const;

function principalOf(sub: string, claims: JWTPayload, { issuer, scopes }: TrustedIssuer, several: boolean): Principal {
  const attributes: Record<string, string> = { iss: issuer, sub };
  for (const claim of TOLD) {
    const value = claims[claim];
    if (isText(value)) attributes[claim] = value;
  }
  const { preferred_username: username, email, name } = attributes;
  const called = username ?? email ?? name;
  return {
    id: principalId(issuer, sub, several),
    ...(called !== undefined && { name: called }),
    scopes: scopesOf(claims, scopes),
    stepUp: true,
    attributes,
  };
}

/** The id of whoever signed in there; `several`: more than one issuer is trusted. */
export const principalId = (issuer: string, sub: string, several: boolean): string =>
  several ? idAmongSeveral(issuer, sub) : idOfOnly(sub);

/** An issuer has no fragment (RFC 8414), so the first `#` always separates issuer and `sub`. */
const idAmongSeveral = (issuer: string, sub: string) => `oauth:${issuer.replaceAll('#', '%23')}#${sub}`;

/** Keeps a `sub` from being written so that it equals a user of another issuer that is trusted later. */
const idOfOnly = (sub: string) => (sub.includes('#') ? `oauth:#${sub}` : `oauth:${sub}`);

/** `scope` is a text (RFC 9068). Some servers call it `scp`, and some send a list. */
function scopesOf(claims: JWTPayload, mapping: TrustedIssuer['scopes']): Set<string> {
  const given = [claims.scope, claims.scp].flatMap((value) =>
    typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value.map(String) : [],
  );
  const carried = given.filter((scope) => scope !== '');
  if (!mapping) return new Set(carried);
  return new Set(carried.flatMap((scope) => (Object.hasOwn(mapping, scope) ? (mapping[scope] ?? []) : [])));
}
