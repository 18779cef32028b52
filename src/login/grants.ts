import type { AuthorizationServer, TokenEndpointResponse } from 'oauth4webapi';
import { AppError, messageOf } from '../kernel/errors.ts';
import { asClient, type OwnClient, proofOf } from './client.ts';
import type { Fetch } from './fetch.ts';
import { mustAsk } from './scopes.ts';

/** The tokens of a login. */
export interface Tokens {
  access: string;
  refresh?: string;
  /** Milliseconds since 1970; absent if the server did not say. */
  expires?: number;
  obtained: number;
  scope?: string;
}

/** What a request to the token endpoint needs. */
export interface Party {
  server: AuthorizationServer;
  client: OwnClient;
  resource?: string;
}

/** Loaded at the first sign-in: most gateways never need the library. */
const load = () => import('oauth4webapi');

async function optionsFor(fetch: Fetch, parameters: Record<string, string | undefined> = {}) {
  const { allowInsecureRequests, customFetch } = await load();
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  // Our own fetch refuses plain http, except on this machine.
  return {
    [allowInsecureRequests]: true,
    [customFetch]: (url: string, options: { method: string; headers: Record<string, string>; body?: unknown }) =>
      fetch(url, options),
    additionalParameters: new URLSearchParams(given),
  };
}

/** What we remember of one sign-in from start to end. */
export interface Attempt {
  verifier: string;
  state: string;
  redirect: string;
  scope?: string;
}

/** Returns where to send the user, and what to remember until they return. */
export async function beginAttempt(
  { server, client, resource }: Party,
  { redirect, scope }: { redirect: string; scope: string | undefined },
): Promise<{ url: string; attempt: Attempt }> {
  const { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } = await load();
  if (server.authorization_endpoint === undefined) {
    throw new AppError(
      'unsupported',
      `${server.issuer} has no sign-in page. If it issues tokens to programs, set "grant: client_credentials".`,
    );
  }
  const verifier = generateRandomCodeVerifier();
  const state = generateRandomState();
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirect,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
    ...(mustAsk(scope) && { prompt: 'consent' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, attempt: { verifier, state, redirect, ...(scope !== undefined && { scope }) } };
}

/** Exchanges the answer the user came back with for tokens. Checks state and issuer before reading anything else. */
export async function finishAttempt(
  party: Party,
  attempt: Attempt,
  answer: URLSearchParams,
  fetch: Fetch,
): Promise<Tokens> {
  const { server, client, resource } = party;
  const { validateAuthResponse, authorizationCodeGrantRequest, processAuthorizationCodeResponse } = await load();
  return explained(server, async () => {
    const checked = validateAuthResponse(server, asClient(client), answer, attempt.state);
    const response = await authorizationCodeGrantRequest(
      server,
      asClient(client),
      proofOf(client),
      checked,
      attempt.redirect,
      attempt.verifier,
      await optionsFor(fetch, { resource }),
    );
    return tokensIn(await processAuthorizationCodeResponse(server, asClient(client), response), attempt.scope);
  });
}

/** Refreshes the tokens. If the server sends no new refresh token, the old one stays valid. */
export async function refresh({ server, client, resource }: Party, tokens: Tokens, fetch: Fetch): Promise<Tokens> {
  const { refreshTokenGrantRequest, processRefreshTokenResponse } = await load();
  return explained(server, async () => {
    const response = await refreshTokenGrantRequest(
      server,
      asClient(client),
      proofOf(client),
      tokens.refresh as string,
      await optionsFor(fetch, { resource }),
    );
    const fresh = tokensIn(await processRefreshTokenResponse(server, asClient(client), response), tokens.scope);
    return { ...(tokens.refresh !== undefined && { refresh: tokens.refresh }), ...fresh };
  });
}

/** Gets tokens for the gateway itself, without a user. */
export async function ownTokens(
  { server, client, resource }: Party,
  scope: string | undefined,
  fetch: Fetch,
): Promise<Tokens> {
  const { clientCredentialsGrantRequest, processClientCredentialsResponse } = await load();
  return explained(server, async () => {
    const parameters = { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) };
    const { additionalParameters: _, ...options } = await optionsFor(fetch);
    const response = await clientCredentialsGrantRequest(
      server,
      asClient(client),
      proofOf(client),
      parameters,
      options,
    );
    return tokensIn(await processClientCredentialsResponse(server, asClient(client), response), scope);
  });
}

/** Revokes the tokens at the authorization server. Ignores errors: the login is removed here in any case. */
export async function revoke({ server, client }: Party, tokens: Tokens, fetch: Fetch): Promise<void> {
  if (server.revocation_endpoint === undefined) return;
  const { revocationRequest } = await load();
  await revocationRequest(
    server,
    asClient(client),
    proofOf(client),
    tokens.refresh ?? tokens.access,
    await optionsFor(fetch),
  ).catch(() => {});
}

function tokensIn(given: TokenEndpointResponse, asked: string | undefined): Tokens {
  if (given.token_type !== 'bearer')
    throw new AppError(
      'unsupported',
      `The authorization server issued a ${given.token_type} token. Sluice supports only bearer tokens.`,
    );
  const now = Date.now();
  // RFC 6749: without a scope in the answer, the requested scope was granted.
  const scope = given.scope ?? asked;
  return {
    access: given.access_token,
    ...(given.refresh_token !== undefined && { refresh: given.refresh_token }),
    ...(given.expires_in !== undefined && { expires: now + given.expires_in * 1000 }),
    obtained: now,
    ...(scope !== undefined && { scope }),
  };
}

/** The error code with which the authorization server refused, never its free text. */
export function refusalOf(error: unknown): string | undefined {
  return error instanceof AppError && typeof error.data?.oauth === 'string' ? error.data.oauth : undefined;
}

async function explained<T>(server: AuthorizationServer, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    const { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } = await load();
    if (thrown instanceof AuthorizationResponseError || thrown instanceof ResponseBodyError) {
      const word = /^[\w.-]{1,60}$/.test(thrown.error) ? thrown.error : 'an unknown error';
      throw new AppError('unauthenticated', `${server.issuer} refused the login: ${word}.`, { data: { oauth: word } });
    }
    if (thrown instanceof WWWAuthenticateChallengeError) {
      throw new AppError(
        'unauthenticated',
        `${server.issuer} does not know Sluice as a client (HTTP ${thrown.status}).`,
        {
          data: { oauth: 'invalid_client' },
        },
      );
    }
    // The library's errors say which check failed and contain no values.
    throw new AppError('unavailable', `The login at ${server.issuer} failed: ${messageOf(thrown)}.`);
  }
}
