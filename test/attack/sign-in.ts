import { approve, createBrowser, type Page } from '../support/browser.ts';
import { authorizeUrl, pkce, register, token } from '../support/oauth-requests.ts';
import { OWNER_PASSWORD, type Scene } from './scene.ts';

/** Signs in at the built-in authorization server, like a client and the owner's browser. */
export const CALLBACK = 'https://app.example/callback';

export async function newClient({ url }: Scene, more: object = {}): Promise<string> {
  const metadata = { client_name: 'App', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none', ...more };
  const { status, body } = await register(url, metadata);
  if (typeof body.client_id !== 'string') throw new Error(`Not registered: ${status} ${JSON.stringify(body)}`);
  return body.client_id;
}

const clients = new Map<string, Promise<string>>();

/** An existing client: not every attack needs its own. */
export function knownClient(scene: Scene): Promise<string> {
  let known = clients.get(scene.url);
  if (!known) clients.set(scene.url, (known = newClient(scene)));
  return known;
}

export function authorization(scene: Scene, params: Record<string, string>): string {
  const { pathname, search } = new URL(authorizeUrl(scene.url, params));
  return pathname + search;
}

export interface Exchange extends Record<string, string> {
  grant_type: string;
  client_id: string;
  redirect_uri: string;
  code: string;
  code_verifier: string;
}

/** A code that the owner allowed, and what is needed to exchange it. */
export async function newCode(scene: Scene, params: Record<string, string> = {}, scopes?: string[]): Promise<Exchange> {
  const client = await knownClient(scene);
  const { verifier, challenge } = pkce();
  const asked = { client_id: client, redirect_uri: CALLBACK, code_challenge: challenge, ...params };
  const back = await approve(createBrowser(scene.url), authorizeUrl(scene.url, asked), OWNER_PASSWORD, scopes);
  return {
    grant_type: 'authorization_code',
    client_id: client,
    redirect_uri: CALLBACK,
    code: back.searchParams.get('code') ?? '',
    code_verifier: verifier,
  };
}

export async function newTokens(
  scene: Scene,
  params: Record<string, string> = {},
  scopes?: string[],
): Promise<{ access: string; refresh: string; client: string }> {
  const exchange = await newCode(scene, params, scopes);
  const { body } = await token(scene.url, exchange);
  return { access: String(body.access_token), refresh: String(body.refresh_token), client: exchange.client_id };
}

/** A consent page as the signed-in owner sees it, with the browser's cookies. */
export async function consent(
  scene: Scene,
  params: Record<string, string> = {},
): Promise<{ page: Page; cookie: string }> {
  const browser = createBrowser(scene.url);
  const client = await knownClient(scene);
  const asked = { client_id: client, redirect_uri: CALLBACK, code_challenge: pkce().challenge, ...params };
  const login = await browser.open(authorizeUrl(scene.url, asked));
  const page = await browser.submit(login, { password: OWNER_PASSWORD }, 'login');
  const { pathname } = new URL(page.url);
  const cookie = [...browser.cookies]
    .filter(([, { path }]) => pathname.startsWith(path))
    .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
    .join('; ');
  return { page, cookie };
}

/** The hidden fields of a form. */
export function formToken({ html }: Page): string {
  return /name="token" value="([^"]*)"/.exec(html)?.[1] ?? '';
}

/** The scopes of an answer's token; empty if there is none. */
export function scopesGranted(body: string): string[] {
  try {
    const { access_token: access } = JSON.parse(body) as { access_token?: string };
    const claims = JSON.parse(Buffer.from(access?.split('.')[1] ?? '', 'base64url').toString()) as { scope?: string };
    return claims.scope?.split(' ') ?? [];
  } catch {
    return [];
  }
}
