/**
 * The requests of hosted assistants when you add a connector by URL, according to their documentation and published
 * client documents (2026): Claude (DCR, CIMD), Claude Code (loopback), ChatGPT (DCR, CIMD with a signed assertion).
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createOAuth } from '../../../src/auth/oauth.ts';
import { assertPublicUrl, publicLookup } from '../../../src/wire/url-guard.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';
import { approve, createBrowser } from '../../support/browser.ts';
import { authorizeUrl, claimsOf, getJson, pkce, register, token } from '../../support/oauth-requests.ts';

const password = 'correct horse battery staple';

/** The authorization server alone. Instead of the internet it sees `documents`. */
async function startServer(documents: Record<string, object | number> = {}, publicUrl?: string) {
  const store = await openSqlite(':memory:');
  const asked: string[] = [];
  const settings = { builtin: { password } };
  const server = createServer((request, response) => {
    if (!oauth.handle(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const oauth = createOAuth({
    store,
    settings: () => settings,
    publicUrl: () => publicUrl,
    url: () => url,
    failed: async () => undefined,
    isAllowedOrigin: () => false,
    fetch: async (address) => {
      asked.push(String(address));
      const found = documents[String(address)];
      if (typeof found === 'object') return Response.json(found);
      return new Response('<html>prove that you are human</html>', { status: found ?? 404 });
    },
  });
  return {
    url,
    asked,
    oauth,
    store,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await store[Symbol.asyncDispose]();
    },
  };
}

const claude = {
  id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
  callback: 'https://claude.ai/api/mcp/auth_callback',
};
const chatgpt = {
  id: 'https://chatgpt.com/oauth/client.json',
  callback: 'https://chatgpt.com/connector_platform_oauth_redirect',
};

async function signIn(url: string, clientId: string, redirectUri: string, extra: Record<string, string> = {}) {
  const { verifier, challenge } = pkce();
  const asked = { client_id: clientId, redirect_uri: redirectUri, code_challenge: challenge, ...extra };
  const callback = await approve(createBrowser(url), authorizeUrl(url, asked), password);
  expect(callback.href.startsWith(`${redirectUri}?`)).toBe(true);
  expect(callback.searchParams.get('iss')).toBe(url);
  expect(callback.searchParams.get('state')).toBe('s');
  const code = callback.searchParams.get('code') ?? '';
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  };
}

describe('Claude', () => {
  it('registers itself, gets a token, and refreshes it', async () => {
    await using server = await startServer();
    const { url } = server;
    const metadata = await getJson(`${url}/.well-known/oauth-authorization-server`);
    expect(metadata.body).toMatchObject({
      issuer: url,
      registration_endpoint: `${url}/oauth/register`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    const { status, body: client } = await register(url, {
      client_name: 'Claude',
      redirect_uris: [claude.callback],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'tools:read tools:execute',
    });
    expect(status).toBe(201);
    const resource = `${url}/mcp`;
    const exchange = await signIn(url, String(client.client_id), claude.callback, {
      resource,
      scope: 'tools:read tools:execute',
    });
    const { body } = await token(url, { ...exchange, resource });
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'tools:read tools:execute' });
    expect(claimsOf(body.access_token)).toMatchObject({ aud: resource, name: 'owner via Claude' });
    const renewed = await token(url, {
      grant_type: 'refresh_token',
      client_id: String(client.client_id),
      refresh_token: String(body.refresh_token),
      resource,
    });
    expect(claimsOf(renewed.body.access_token)).toMatchObject({ aud: resource, scope: 'tools:read tools:execute' });
    expect(await server.oauth.authenticator.check(String(renewed.body.access_token), resource)).toMatchObject({
      principal: { id: 'oauth:owner' },
    });
  });

  const document = {
    client_id: claude.id,
    client_name: 'Claude',
    client_uri: 'https://claude.ai',
    redirect_uris: [claude.callback],
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };

  it.each([
    ['that can be fetched', { [claude.id]: document }],
    ['that is hidden behind a captcha', { [claude.id]: 403 }],
  ])('is identified by its client document %s', async (_, documents) => {
    await using server = await startServer(documents);
    const exchange = await signIn(server.url, claude.id, claude.callback, { resource: `${server.url}/mcp` });
    const { body } = await token(server.url, exchange);
    expect(body).toMatchObject({ scope: 'tools:read tools:execute' });
    expect(body.refresh_token).toBeTypeOf('string');
    expect(server.asked).toEqual([claude.id]);
  });

  it('Code can use any loopback port for its redirect', async () => {
    await using server = await startServer();
    const id = 'https://claude.ai/oauth/claude-code-client-metadata';
    const exchange = await signIn(server.url, id, 'http://localhost:54212/callback');
    expect((await token(server.url, exchange)).status).toBe(200);
  });
});

describe('ChatGPT', () => {
  it('registers itself, once for each connection', async () => {
    await using server = await startServer();
    const callback = 'https://chatgpt.com/connector/oauth/OUbdUMlL15Ct';
    const { body: client } = await register(server.url, {
      client_name: 'ChatGPT',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
      client_uri: '',
    });
    const resource = `${server.url}/mcp`;
    const exchange = await signIn(server.url, String(client.client_id), callback, {
      resource,
      scope: 'openid email tools:read tools:execute',
    });
    const { body } = await token(server.url, { ...exchange, resource });
    expect(claimsOf(body.access_token)).toMatchObject({ aud: resource, scope: 'tools:read tools:execute' });
  });

  it('is identified by its client document, and signs its token requests', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const jwksUri = 'https://chatgpt.com/oauth/jwks.json';
    await using server = await startServer({
      [chatgpt.id]: {
        client_id: chatgpt.id,
        client_name: 'ChatGPT',
        redirect_uris: [chatgpt.callback],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'RS256',
        jwks_uri: jwksUri,
      },
      [jwksUri]: { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }] },
    });
    const exchange = await signIn(server.url, chatgpt.id, chatgpt.callback, { resource: `${server.url}/mcp` });
    const assertion = (audience: string) =>
      new SignJWT({ jti: crypto.randomUUID() })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setIssuer(chatgpt.id)
        .setSubject(chatgpt.id)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(privateKey);
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    const signed = async (audience: string) => ({
      ...exchange,
      client_assertion_type: type,
      client_assertion: await assertion(audience),
    });
    expect((await token(server.url, exchange)).body.error).toBe('invalid_client');
    expect((await token(server.url, await signed('https://evil.example'))).body.error).toBe('invalid_client');
    expect((await token(server.url, await signed(`${server.url}/oauth/token`))).status).toBe(200);
  });
});

describe('a client document', () => {
  const { challenge } = pkce();
  const asked = (url: string, id: string, redirect: string) =>
    createBrowser(url).open(authorizeUrl(url, { client_id: id, redirect_uri: redirect, code_challenge: challenge }));

  it.each([
    ['names another client', { client_id: 'https://other.example/c', redirect_uris: ['https://app.example/cb'] }],
    ['has a secret', { client_secret: 'x', redirect_uris: ['https://app.example/cb'] }],
    ['redirects to plain http', { redirect_uris: ['http://app.example/cb'] }],
    ['has no redirect', { redirect_uris: [] }],
    ['does not exist', 404],
    ['redirects', 302],
  ])('that %s is refused', async (_, document) => {
    const id = 'https://app.example/client.json';
    await using server = await startServer({
      [id]: typeof document === 'number' ? document : { client_id: id, client_name: 'App', ...document },
    });
    const page = await asked(server.url, id, 'https://app.example/cb');
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.html).toContain('This did not work');
    expect(page.html).not.toContain('name="password"');
  });

  it('is never fetched from a loopback or private address', async () => {
    const store = await openSqlite(':memory:');
    let connections = 0;
    const inside = createServer(() => connections++);
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    const { port } = inside.address() as AddressInfo;
    inside.on('connection', () => connections++);
    const settings = { builtin: { password } };
    const server = createServer((request, response) => void oauth.handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const oauth = createOAuth({
      store,
      settings: () => settings,
      publicUrl: () => undefined,
      url: () => url,
      failed: async () => undefined,
      isAllowedOrigin: () => false,
      addressGuard: { assertPublic: (address) => assertPublicUrl(address), lookup: publicLookup },
    });
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '10.0.0.1', '169.254.169.254', '[::ffff:127.0.0.1]']) {
      const page = await asked(url, `https://${host}:${port}/client.json`, 'https://app.example/cb');
      expect(page.status).toBeGreaterThanOrEqual(400);
      expect(page.html).toContain('This did not work');
    }
    expect(connections).toBe(0);
    for (const one of [server, inside]) {
      one.closeAllConnections();
      await new Promise((resolve) => one.close(resolve));
    }
    await store[Symbol.asyncDispose]();
  });
});

describe('behind a proxy that adds a path prefix', () => {
  it('every URL has the prefix, and cookies are limited to it', async () => {
    const base = 'https://example.com/sluice';
    await using server = await startServer({}, `${base}/`);
    const { body } = await getJson(`${server.url}/.well-known/oauth-authorization-server/sluice`);
    expect(body).toMatchObject({
      issuer: base,
      authorization_endpoint: `${base}/oauth/authorize`,
      token_endpoint: `${base}/oauth/token`,
      jwks_uri: `${base}/oauth/jwks`,
    });
    const { body: client } = await register(server.url, { redirect_uris: [claude.callback], client_name: 'Claude' });
    const asked = {
      client_id: String(client.client_id),
      redirect_uri: claude.callback,
      code_challenge: pkce().challenge,
      resource: `${base}/mcp`,
    };
    const response = await fetch(authorizeUrl(server.url, asked), { redirect: 'manual' });
    expect(response.headers.get('location')).toMatch(/^\/sluice\/oauth\/interaction\/[\w-]+$/);
    const cookies = response.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/path=\/sluice\/oauth\//);
      expect(cookie).toMatch(/httponly/);
      expect(cookie).toMatch(/secure/);
      expect(cookie).toMatch(/samesite=lax/);
    }
  });
});
