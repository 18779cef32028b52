import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi';
import { AppError } from '../kernel/errors.ts';
import { isLoopback } from '../kernel/plain-http.ts';
import type { OAuthSettings } from '../wire/credentials.ts';
import { isObject } from '../wire/jsonrpc.ts';
import type { Fetch } from './fetch.ts';

type Method = 'none' | 'client_secret_basic' | 'client_secret_post';

/** Our identity at an authorization server. */
export interface OwnClient {
  id: string;
  secret?: string;
  method: Method;
}

const CLIENT_NAME = 'Sluice';
const GRANTS = ['authorization_code', 'refresh_token'];

/** Our client metadata, for registration and for the document that is our client id. */
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

/** The client the owner configured, if there is one. */
export function configuredClient(
  server: AuthorizationServer,
  settings: OAuthSettings | undefined,
): OwnClient | undefined {
  const { clientId, clientSecret } = settings ?? {};
  if (clientId === undefined) return undefined;
  return withMethod({ id: clientId, ...(clientSecret !== undefined && { secret: clientSecret }) }, server);
}

/** The client whose id is the URL of our metadata document, if the server supports that. */
export function describedClient(server: AuthorizationServer, document: string | undefined): OwnClient | undefined {
  if (document === undefined || server.client_id_metadata_document_supported !== true) return undefined;
  return { id: document, method: 'none' };
}

/** Registers a client (RFC 7591). */
export async function registerClient(
  server: AuthorizationServer,
  options: { redirect: string; scope: string | undefined; fetch: Fetch },
): Promise<OwnClient> {
  const { registration_endpoint: endpoint, token_endpoint_auth_methods_supported: methods } = server;
  if (endpoint === undefined) {
    throw new AppError(
      'unsupported',
      `${server.issuer} does not allow automatic registration. Register a client there with the redirect URI ${options.redirect} and set "oauth.clientId" of the server to its id.`,
    );
  }
  const known: readonly Method[] = ['none', 'client_secret_basic', 'client_secret_post'];
  // Without this list RFC 8414 means client_secret_basic, but such servers accept public clients in practice.
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
  // Some servers limit a client to the scopes it registered. Others do not know the scopes and refuse them.
  if (answer.error === 'invalid_client_metadata' && options.scope !== undefined)
    ({ status, answer } = await send(undefined));
  if (typeof answer.client_id !== 'string') {
    const word = typeof answer.error === 'string' && /^\w{1,60}$/.test(answer.error) ? answer.error : undefined;
    const why = word ?? `HTTP ${status}`;
    throw new AppError(
      'unsupported',
      `${server.issuer} refused the registration (${why}). Register a client there with the redirect URI ${options.redirect} and set "oauth.clientId" of the server to its id.`,
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

/** Authenticates us at the token endpoint. */
export function proofOf({ id, secret, method }: OwnClient): ClientAuth {
  return (_server, _client, body, headers) => {
    if (method === 'client_secret_basic' && secret !== undefined) {
      // Percent-encode only what needs it: the library encodes more, which not every server decodes.
      const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
      headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
      return;
    }
    body.set('client_id', id);
    if (method === 'client_secret_post' && secret !== undefined) body.set('client_secret', secret);
  };
}
