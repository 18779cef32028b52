import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modern, rpc, send, startGateway, type TestGateway } from '../harness.ts';
import { approve, createBrowser } from '../../support/browser.ts';
import { authorizeUrl, claimsOf, getJson, pkce, register, token } from '../../support/oauth-requests.ts';

const password = 'correct horse battery staple';
const auth = { mode: 'oauth', oauth: { builtin: { password } } };
const callback = 'https://app.example/callback';

let gateway: TestGateway;
let clientId: string;

beforeAll(async () => {
  gateway = await startGateway({ auth });
  clientId = await newClient(gateway.url);
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function newClient(url: string, more: object = {}): Promise<string> {
  const metadata = { client_name: 'App', redirect_uris: [callback], token_endpoint_auth_method: 'none', ...more };
  return String((await register(url, metadata)).body.client_id);
}

interface Asking {
  url?: string;
  client?: string;
  browser?: ReturnType<typeof createBrowser>;
  scopes?: string[];
  params?: Record<string, string>;
}

/** Signs in and approves through the pages, and returns the code. */
async function newCode({ url = gateway.url, client = clientId, browser, scopes, params = {} }: Asking = {}) {
  const { verifier, challenge } = pkce();
  const asked = { client_id: client, redirect_uri: callback, code_challenge: challenge, ...params };
  const back = await approve(browser ?? createBrowser(url), authorizeUrl(url, asked), password, scopes);
  return {
    grant_type: 'authorization_code',
    client_id: client,
    redirect_uri: callback,
    code: back.searchParams.get('code') ?? '',
    code_verifier: verifier,
  };
}

function ask(at: string, accessToken: unknown) {
  const list = modern('tools/list');
  return send(at, { ...list, headers: { ...list.headers, authorization: `Bearer ${String(accessToken)}` } });
}

const refresh = (refreshToken: unknown, client = clientId, url = gateway.url) =>
  token(url, { grant_type: 'refresh_token', client_id: client, refresh_token: String(refreshToken) });

describe('a code', () => {
  it('works once; a second use revokes the tokens it gave', async () => {
    const exchange = await newCode();
    const { body } = await token(gateway.url, exchange);
    expect(body.access_token).toBeTypeOf('string');
    expect((await token(gateway.url, exchange)).body.error).toBe('invalid_grant');
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await ask(gateway.mcp, body.access_token)).status).toBe(401);
  });

  it('works at most once when it is used several times at once', async () => {
    const exchange = await newCode();
    const answers = await Promise.all([1, 2, 3].map(() => token(gateway.url, exchange)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it.each([
    ['with another verifier', { code_verifier: pkce().verifier }],
    ['without a verifier', { code_verifier: '' }],
    ['for another redirect', { redirect_uri: 'https://app.example/other' }],
    ['for another resource', { resource: 'https://other.example/mcp' }],
  ])('is not exchanged %s', async (_, change) => {
    const { status, body } = await token(gateway.url, { ...(await newCode()), ...change });
    expect(status).toBe(400);
    expect(['invalid_grant', 'invalid_request', 'invalid_target']).toContain(body.error);
  });

  it('is not exchanged by another client', async () => {
    const other = await newClient(gateway.url);
    const { body } = await token(gateway.url, { ...(await newCode()), client_id: other });
    expect(body.error).toBe('invalid_grant');
  });
});

describe('an authorization request', () => {
  const { challenge } = pkce();
  const right = () => ({ client_id: clientId, redirect_uri: callback, code_challenge: challenge });
  const open = (params: Record<string, string>) => createBrowser(gateway.url).open(authorizeUrl(gateway.url, params));

  it('shows the sign-in page', async () => {
    expect((await open(right())).html).toContain('name="password"');
  });

  it.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['a redirect that was not registered', { redirect_uri: 'https://evil.example/callback' }],
    ['a redirect below the registered one', { redirect_uri: `${callback}/more` }],
    ['a redirect with a query', { redirect_uri: `${callback}?x=1` }],
    ['another port', { redirect_uri: 'https://app.example:8443/callback' }],
  ])('with %s shows an error page and does not redirect', async (_, change) => {
    const page = await open({ ...right(), ...change });
    expect(page.status).toBe(400);
    expect(page.html).toContain('This did not work');
  });

  it.each([
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['plain PKCE', { code_challenge_method: 'plain' }],
    ['a resource that is not ours', { resource: 'https://other.example/mcp' }],
    ['an implicit flow', { response_type: 'token' }],
  ])('with %s redirects back with an error', async (_, change) => {
    const page = await open({ ...right(), ...change });
    expect(page.url.startsWith(callback)).toBe(true);
    expect(new URL(page.url).searchParams.get('error') ?? page.url).toMatch(/invalid_|unsupported_/);
    expect(new URL(page.url).searchParams.get('code')).toBeNull();
  });

  it('works though its redirect contains an unencoded question mark', async () => {
    const redirect = 'https://app.example/callback?app=1';
    const client = await newClient(gateway.url, { redirect_uris: [redirect] });
    const query = `response_type=code&client_id=${client}&code_challenge=${challenge}&code_challenge_method=S256`;
    const page = await createBrowser(gateway.url).open(
      `${gateway.url}/oauth/authorize?${query}&redirect_uri=${redirect}&state=s`,
    );
    expect(page.html).toContain('name="password"');
  });

  it('uses the configured address, whatever the Host and proxy headers say', async () => {
    const spoofed: Record<string, string>[] = [
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      { host: 'localhost' },
    ];
    for (const headers of spoofed) {
      const { messages } = await send(`${gateway.url}/.well-known/oauth-authorization-server`, { headers });
      expect(messages[0]).toMatchObject({ issuer: gateway.url, token_endpoint: `${gateway.url}/oauth/token` });
    }
  });
});

describe('the owner', () => {
  const consent = async (params: Record<string, string> = {}, client = clientId) => {
    const browser = createBrowser(gateway.url);
    const { challenge } = pkce();
    const asked = { client_id: client, redirect_uri: callback, code_challenge: challenge, ...params };
    const login = await browser.open(authorizeUrl(gateway.url, asked));
    return { browser, login, page: await browser.submit(login, { password }, 'login') };
  };

  it('can grant a missing scope later: the 403 names it', async () => {
    const { body } = await token(gateway.url, await newCode({ params: { scope: 'tools:read' } }));
    const call = (headers: Record<string, string>, name = 'gateway_status') =>
      fetch(`${gateway.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${String(body.access_token)}`,
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }),
      });
    const refused = await call({});
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toMatch(
      /^Bearer resource_metadata=".*", error="insufficient_scope".*scope="health:check"$/,
    );
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('health:check') as string },
    });
    const more = await token(gateway.url, await newCode({ params: { scope: 'tools:read health:check' } }));
    expect((await call({ authorization: `Bearer ${String(more.body.access_token)}` })).status).toBe(200);
    // An unknown tool is not a matter of scopes.
    expect((await call({}, 'nonsense')).status).toBe(200);
  });

  it('grants less than was asked for', async () => {
    const asked = { scope: 'tools:read tools:execute redis:read admin' };
    const { body } = await token(gateway.url, await newCode({ params: asked, scopes: ['tools:read', 'redis:read'] }));
    expect(body.scope).toBe('tools:read redis:read');
    const renewed = await refresh(body.refresh_token);
    expect(claimsOf(renewed.body.access_token).scope).toBe('tools:read redis:read');
  });

  it('never grants more than was asked for, whatever the form says', async () => {
    const { body } = await token(
      gateway.url,
      await newCode({ params: { scope: 'tools:read' }, scopes: ['tools:read', 'admin', 'tools:execute'] }),
    );
    expect(body.scope).toBe('tools:read');
  });

  it('sees who asks, the redirect host and each scope in plain words; admin is not ticked', async () => {
    const { page } = await consent({ scope: 'tools:read redis:write admin nonsense' });
    expect(page.html).toContain('App wants to use your tools');
    expect(page.html).toContain('app.example');
    expect(page.html).toContain('list the tools');
    expect(page.html).toContain('change and delete things with the tools of redis');
    expect(page.html).toMatch(/value="tools:read" checked/);
    expect(page.html).toMatch(/value="admin">/);
    expect(page.html).not.toContain('nonsense');
  });

  it('must tick something', async () => {
    const { browser, page } = await consent({ scope: 'tools:read' });
    const again = await browser.submit(page, { scope: [] }, 'allow');
    expect(again.status).toBe(400);
    expect(again.html).toContain('Select at least one');
  });

  it('signs in once, but is asked to consent every time', async () => {
    const browser = createBrowser(gateway.url);
    await newCode({ browser });
    const { challenge } = pkce();
    const asked = { client_id: clientId, redirect_uri: callback, code_challenge: challenge };
    const page = await browser.open(authorizeUrl(gateway.url, asked));
    expect(page.html).not.toContain('name="password"');
    expect(page.html).toContain('wants to use your tools');
  });

  it('sees a client name that cannot inject HTML', async () => {
    const client = await newClient(gateway.url, { client_name: '<script>alert(1)</script>\u202egnp" onload="x' });
    const { login, page } = await consent({}, client);
    for (const { html } of [login, page]) {
      expect(html).not.toContain('<script');
      expect(html).not.toContain('" onload');
      expect(html).not.toContain('\u202e');
    }
  });

  it('sees a page that runs no scripts, loads nothing and cannot be framed', async () => {
    const { login } = await consent();
    expect(login.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(login.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(login.headers.get('x-frame-options')).toBe('DENY');
    expect(login.headers.get('cache-control')).toBe('no-store');
    expect(login.html).not.toContain('<script');
  });

  it('is not signed in by a wrong password, and guesses are slowed down', async () => {
    await using own = await startGateway({ auth });
    const client = await newClient(own.url);
    const browser = createBrowser(own.url);
    const asked = { client_id: client, redirect_uri: callback, code_challenge: pkce().challenge };
    let page = await browser.open(authorizeUrl(own.url, asked));
    for (let i = 0; i < 10; i++) {
      page = await browser.submit(page, { password: 'hunter2-hunter2' }, 'login');
      expect(page.status).toBe(400);
      expect(page.html).toContain('Wrong password');
      expect(page.html).not.toContain('hunter2');
    }
    const before = performance.now();
    const many = await Promise.all(
      Array.from({ length: 25 }, () => browser.submit(page, { password: 'hunter2-hunter2' }, 'login')),
    );
    expect(performance.now() - before).toBeGreaterThan(500);
    const refused = many.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await browser.submit(page, { password }, 'login')).html).toContain('wants to use your tools');
    const { events } = await own.stored({ type: 'auth.refused' });
    expect(JSON.stringify(events)).not.toContain('hunter2');
  });

  it('is safe from parallel guessing: after a hundred wrong passwords even the right one is refused', async () => {
    await using own = await startGateway({ auth });
    const browser = createBrowser(own.url);
    const asked = { client_id: await newClient(own.url), redirect_uri: callback, code_challenge: pkce().challenge };
    const page = await browser.open(authorizeUrl(own.url, asked));
    const tried = Array.from({ length: 200 }, (_, n) => `guess number ${n}`);
    const pages = await Promise.all(
      [...tried, password].map((one) => browser.submit(page, { password: one }, 'login')),
    );
    expect(pages.filter(({ status }) => status === 429).length).toBeGreaterThan(100);
    const right = pages.at(-1);
    expect(right?.status).toBe(429);
    expect(Number(right?.headers.get('retry-after'))).toBeGreaterThan(0);
    const { events } = await own.stored({ type: 'auth.refused', limit: 500 });
    expect(events.length).toBeLessThan(110);
  });

  it.each([
    ['of another origin', { origin: 'http://127.0.0.1:1' }, {}],
    ['that a browser calls cross-site', { 'sec-fetch-site': 'cross-site' }, {}],
    ['without the token of the page', {}, { token: 'forged' }],
  ])('does not answer a form %s', async (_, headers, change) => {
    const { browser, page } = await consent();
    const answered = await browser.submit(page, change, 'allow', headers);
    expect(answered.status).toBe(403);
  });

  it('cannot answer the form from another browser', async () => {
    const { page } = await consent();
    const other = createBrowser(gateway.url);
    expect((await other.submit(page, {}, 'allow')).status).toBe(400);
  });
});

describe('a refresh token', () => {
  it('is replaced on each use; reusing an old one revokes the tokens it gave', async () => {
    const { body } = await token(gateway.url, await newCode());
    const second = await refresh(body.refresh_token);
    expect((await ask(gateway.mcp, second.body.access_token)).status).toBe(200);
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(second.body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await ask(gateway.mcp, second.body.access_token)).status).toBe(401);
  });

  it('does not work for another client, and can be revoked', async () => {
    const { body } = await token(gateway.url, await newCode());
    expect((await refresh(body.refresh_token, await newClient(gateway.url))).body.error).toBe('invalid_grant');
    const given = await fetch(`${gateway.url}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: String(body.refresh_token), client_id: clientId }),
    });
    expect(given.status).toBe(200);
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await ask(gateway.mcp, body.access_token)).status).toBe(401);
  });

  it('cannot widen the granted scopes', async () => {
    const { body } = await token(gateway.url, await newCode({ params: { scope: 'tools:read' } }));
    const more = await token(gateway.url, {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: String(body.refresh_token),
      scope: 'tools:read admin',
    });
    expect(more.body.error).toBe('invalid_scope');
  });
});

describe('an access token', () => {
  it('works only for the resource it names', async () => {
    const whole = await token(gateway.url, await newCode({ params: { resource: gateway.mcp } }));
    const part = await token(gateway.url, await newCode({ params: { resource: `${gateway.mcp}/ops` } }));
    expect((await ask(gateway.mcp, whole.body.access_token)).status).toBe(200);
    expect((await ask(gateway.mcp, part.body.access_token)).status).toBe(401);
    expect((await ask(`${gateway.mcp}/ops`, whole.body.access_token)).status).toBe(401);
  });

  it('for a toolset cannot use a session of the whole gateway', async () => {
    await using own = await startGateway({ auth, toolsets: { ops: { include: ['get_events'] } } });
    const client = await newClient(own.url);
    const tokenFor = async (resource: string) =>
      (await token(own.url, await newCode({ url: own.url, client, params: { resource } }))).body.access_token;
    const [whole, part] = [await tokenFor(own.mcp), await tokenFor(`${own.mcp}/ops`)];
    const bearer = (one: unknown) => ({ authorization: `Bearer ${String(one)}` });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const opened = await send(own.mcp, { headers: bearer(whole), body: rpc(1, 'initialize', params) });
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const list = (at: string, one: unknown) =>
      send(at, { headers: { ...bearer(one), ...session }, body: rpc(2, 'tools/list') });
    expect((await list(own.mcp, whole)).status).toBe(200);
    expect((await list(`${own.mcp}/ops`, part)).status).toBe(404);
  });

  it('is for the whole gateway if the client names no resource', async () => {
    const { body } = await token(gateway.url, await newCode());
    expect(claimsOf(body.access_token).aud).toBe(gateway.mcp);
  });
});

describe('a registration', () => {
  it.each([
    ['without a redirect', { redirect_uris: [] }],
    ['to plain http', { redirect_uris: ['http://app.example/callback'] }],
    ['to a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['with a fragment', { redirect_uris: ['https://app.example/callback#x'] }],
  ])('%s is refused', async (_, change) => {
    const { status, body } = await register(gateway.url, {
      client_name: 'x',
      token_endpoint_auth_method: 'none',
      ...change,
    });
    expect(status).toBe(400);
    expect(body.error).toMatch(/^invalid_/);
  });

  it('of a confidential client returns a secret', async () => {
    const { body } = await register(gateway.url, { client_name: 'x', redirect_uris: [callback] });
    expect(body.client_secret).toBeTypeOf('string');
    const exchange = await newCode({ client: String(body.client_id) });
    expect((await token(gateway.url, exchange)).body.error).toBe('invalid_client');
    const basic = Buffer.from(`${String(body.client_id)}:${String(body.client_secret)}`).toString('base64');
    const { client_id: _, ...rest } = await newCode({ client: String(body.client_id) });
    expect((await token(gateway.url, rest, { authorization: `Basic ${basic}` })).status).toBe(200);
  });
});

describe('metadata', () => {
  it.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp',
  ])('is served at %s', async (path) => {
    const { status, body } = await getJson(`${gateway.url}${path}`);
    expect(status).toBe(200);
    expect(body.issuer).toBe(gateway.url);
  });

  it.each(['', '/mcp', '/mcp/ops', '/sse'])('of the protected resource is served for %s', async (path) => {
    const { body } = await getJson(`${gateway.url}/.well-known/oauth-protected-resource${path}`);
    expect(body).toMatchObject({ resource: `${gateway.url}${path}`, authorization_servers: [gateway.url] });
  });
});

describe('a restart', () => {
  // In PostgreSQL the store is not in the home, which is copied here.
  it.skipIf(process.env.SLUICE_TEST_STORE)('signs nobody out', async () => {
    await using first = await startGateway({ auth });
    const client = await newClient(first.url);
    const browser = createBrowser(first.url);
    const { body } = await token(first.url, await newCode({ url: first.url, client, browser }));
    const port = Number(new URL(first.url).port);
    const { home } = first;
    await using copy = await moved(home);
    await first[Symbol.asyncDispose]();
    await using second = await startGateway({ auth }, { home: copy.path, port });
    expect((await ask(second.mcp, body.access_token)).status).toBe(200);
    const page = await browser.open(
      authorizeUrl(second.url, { client_id: client, redirect_uri: callback, code_challenge: pkce().challenge }),
    );
    expect(page.html).toContain('wants to use your tools');
    const renewed = await refresh(body.refresh_token, client, second.url);
    expect(renewed.status).toBe(200);

    const files = await Promise.all(
      ['sluice.db', 'sluice.db-wal'].map((file) => readFile(join(copy.path, file)).catch(() => Buffer.alloc(0))),
    );
    const stored = Buffer.concat(files).toString('latin1');
    for (const secret of [password, body.refresh_token, renewed.body.refresh_token, client].map(String))
      expect(stored.includes(secret)).toBe(false);
    for (const cookie of browser.cookies.values()) expect(stored.includes(cookie.value)).toBe(false);
  });
});

/** Copies a home, so that the next gateway can start from it. */
async function moved(home: string) {
  const { cp, mkdtemp, rm } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const path = await mkdtemp(join(tmpdir(), 'sluice-test-'));
  await cp(home, path, { recursive: true, filter: (file) => !file.endsWith('.sock') });
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
