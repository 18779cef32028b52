import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi';
import { AppError } from '../kernel/errors.ts';
import { isLoopback } from '../kernel/plain-http.ts';
import type { OAuthSettings } from '../wire/credentials.ts';
import { isObject } from '../wire/jsonrpc.ts';
import type { Fetch } from './fetch.ts';

type Method = 'none' | 'client_secret_basic' | 'client_secret_post';

/** Who we are to an authorization server. */
export interface OwnClient {
  id: string;
  secret?: string;
  method: Method;
}

const CLIENT_NAME = 'Sluice';
const GRANTS = ['authorization_code', 'refresh_token'];

/** What we say of ourselves, at registration and in the document that is our id. */
export function clientMetadata(redirect: string, method: Method, scope?: string) {
  return {
    client_name: CLIENT_NAME,
    redirect_uris: [redirect],
    grant_types: GRANTS,
    response_types: ['code'],
    token_endpoint_auth_method: method,
    application_type: isLoopback(new URL(redirect).hostname) ? 'native' : 'web',
    ...(scope !== undefined && { scope }),
  };
}

/** The client the owner configured, if it is meant for this issuer. */
export function configuredClient(
  server: AuthorizationServer,
  settings: OAuthSettings | undefined,
): OwnClient | undefined {
  const { clientId, clientSecret } = settings ?? {};
  if (clientId === undefined) return undefined;
  return withMethod({ id: clientId, ...(clientSecret !== undefined && { secret: clientSecret }) }, server);
}

/** The document that is our id, where both sides know how to use one. */
export function describedClient(server: AuthorizationServer, document: string | undefined): OwnClient | undefined {
  if (document === undefined || server.client_id_metadata_document_supported !== true) return undefined;
  return { id: document, method: 'none' };
}

/** Registers us (RFC 7591). */
export async function registerClient(
  server: AuthorizationServer,
  options: { redirect: string; scope: string | undefined; fetch: Fetch },
): Promise<OwnClient> {
  const { registration_endpoint: endpoint, token_endpoint_auth_methods_supported: methods } = server;
  if (endpoint === undefined) {
    throw new AppError(
      'unsupported',
      `${server.issuer} lets nobody register by itself. Register a client there with the redirect URI ${options.redirect}, and write its id into "oauth.clientId" of the server.`,
    );
  }
  const known: readonly Method[] = ['none', 'client_secret_basic', 'client_secret_post'];
  // RFC 8414: who names none means client_secret_basic; who guesses everything will know a public client.
  const wanted = methods ? (known.find((method) => methods.includes(method)) ?? 'none') : 'none';
  const send = async (scope: string | undefined) => {
    const response = await options.fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(clientMetadata(options.redirect, wanted, scope)),
    });
    const answer: unknown = await response.json().catch(() => undefined);
    return { status: response.status, answer: isObject(answer) ? answer : {} };
  };
  let { status, answer } = await send(options.scope);
  // Some allow a client only what it registered for; others know nothing of the scopes of a server and refuse them.
  if (answer.error === 'invalid_client_metadata' && options.scope !== undefined)
    ({ status, answer } = await send(undefined));
  if (typeof answer.client_id !== 'string') {
    const word = typeof answer.error === 'string' && /^\w{1,60}$/.test(answer.error) ? answer.error : undefined;
    const why = word ?? `HTTP ${status}`;
    throw new AppError(
      'unsupported',
      `${server.issuer} did not register us (${why}). Register a client there with the redirect URI ${options.redirect}, and write its id into "oauth.clientId" of the server.`,
    );
  }
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: given } = answer;
  const own = { id, ...(typeof secret === 'string' && { secret }) };
  const fits = known.find((method) => method === given && (!methods || methods.includes(method)));
  return fits ? { ...own, method: fits } : withMethod(own, server);
}

function withMethod(own: { id: string; secret?: string }, server: AuthorizationServer): OwnClient {
  const methods = server.token_endpoint_auth_methods_supported;
  if (own.secret === undefined) return { ...own, method: 'none' };
  if (!methods || methods.includes('client_secret_basic')) return { ...own, method: 'client_secret_basic' };
  return {
    ...own,
    method: methods.includes('client_secret_post') || !methods.includes('none') ? 'client_secret_post' : 'none',
  };
}

export const asClient = ({ id }: OwnClient): Client => ({ client_id: id });

/** Proves who we are to the token endpoint. */
export function proofOf({ id, secret, method }: OwnClient): ClientAuth {
  return (_server, _client, body, headers) => {
    if (method === 'client_secret_basic' && secret !== undefined) {
      // Encoded as every server reads it; the library would also encode what needs none, which not every one undoes.
      const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
      headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
      return;
    }
    body.set('client_id', id);
    if (method === 'client_secret_post' && secret !== undefined) body.set('client_secret', secret);
  };
}
