import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CompanyLogin, startCompanyLogin } from '../../fixtures/company-login.ts';
import { startScripted } from '../../fixtures/scripted-server.ts';
import { signInWith } from '../../support/console-session.ts';
import { startGateway, type TestGateway } from '../harness.ts';

interface Answer {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

/** A browser that keeps cookies by host and path, presses the company's button, and follows redirects. */
function createVisitor() {
  const jar = new Map<string, { value: string; path: string; header: string }>();
  const stored = (url: URL) =>
    [...jar].filter(([key, { path }]) => key.startsWith(`${url.host} `) && url.pathname.startsWith(path));

  async function go(link: string, method = 'GET', isLast = (_: URL): boolean => false): Promise<Answer> {
    let [url, how] = [new URL(link), method];
    for (let step = 0; step < 20; step++) {
      const cookie = stored(url)
        .map(([key, { value }]) => `${key.split(' ')[1]}=${value}`)
        .join('; ');
      const response = await fetch(url, { method: how, redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
      for (const header of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
        const path =
          /; path=([^;]+)/i.exec(header)?.[1] ?? (url.pathname.slice(0, url.pathname.lastIndexOf('/')) || '/');
        if (value === '') jar.delete(`${url.host} ${name}`);
        else jar.set(`${url.host} ${name}`, { value, path, header });
      }
      const text = await response.text();
      const next = response.headers.get('location');
      if (next === null && text.includes('<form method="post">')) {
        how = 'POST';
        continue;
      }
      if (next === null) return { url: url.href, status: response.status, text };
      [url, how] = [new URL(next, url), 'GET'];
      if (isLast(url)) return { url: url.href, status: response.status, text };
    }
    throw new Error(`${link} leads nowhere`);
  }
  return {
    go,
    /** Goes on where it stopped. */
    session: async (gateway: string) =>
      JSON.parse((await go(`${gateway}/api/v1/session`)).text) as Record<string, unknown>,
    cookieFor: (gateway: string) =>
      stored(new URL('/api/v1/session', gateway))
        .map(([key, { value }]) => `${key.split(' ')[1]}=${value}`)
        .join('; '),
    headers: () => [...jar.values()].map(({ header }) => header),
  };
}

describe('signing in to the console at the authorization server of the company', () => {
  let company: CompanyLogin;
  let gateway: TestGateway;

  beforeAll(async () => {
    // Renewed when half of it is over.
    company = await startCompanyLogin({ tokenSeconds: 2 });
    gateway = await startGateway({
      auth: { mode: 'oauth', oauth: { issuer: company.issuer, console: company.client } },
    });
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await company?.[Symbol.asyncDispose]();
  });
  beforeEach(() => company.admits(true));

  const leave = (to = '') => `${gateway.url}/api/v1/sign-in?to=${encodeURIComponent(to)}`;

  it('brings people back to their page, signed in, with what the issuer grants', async () => {
    const ana = createVisitor();
    expect(await ana.session(gateway.url)).toMatchObject({
      signedIn: false,
      ways: { token: true, issuer: new URL(company.issuer).host },
    });
    const { url, status } = await ana.go(leave('console/servers?q=a%20b'));
    expect([url, status]).toEqual([`${gateway.url}/console/servers?q=a%20b`, 200]);
    const session = await ana.session(gateway.url);
    expect(session).toMatchObject({ signedIn: true, open: false, csrf: expect.any(String) as string });
    expect(session.scopes).toEqual(expect.arrayContaining(['tools:read', 'tools:execute', 'health:check']));
    const ours = ana.headers().find((header) => header.includes('SameSite=Strict'));
    expect(ours).toContain('HttpOnly');
    // The verifier and the state are forgotten.
    expect(ana.headers().filter((header) => header.startsWith('sluice_') && header.includes('Lax'))).toEqual([]);
    expect((await ana.go(`${gateway.url}/api/v1/status`)).status).toBe(200);
  });

  it('stays signed in beyond the life of a token, until the issuer ends it', async () => {
    const ana = createVisitor();
    await ana.go(leave());
    const before = company.refreshes();
    await expect
      .poll(() => ana.session(gateway.url).then(() => company.refreshes()), { timeout: 5000 })
      .toBe(before + 1);
    // Two requests at the same moment use the refresh token once.
    await expect
      .poll(() => Promise.all([ana.session(gateway.url), ana.session(gateway.url)]).then(() => company.refreshes()), {
        timeout: 5000,
      })
      .toBe(before + 2);
    expect(await ana.session(gateway.url)).toMatchObject({ signedIn: true });
    await company.revoke();
    await expect.poll(() => ana.session(gateway.url), { timeout: 5000 }).toMatchObject({ signedIn: false });
  });

  it('says that the issuer refused', async () => {
    company.admits(false);
    const { url } = await createVisitor().go(leave('console/memory?q=x'));
    expect(url).toBe(`${gateway.url}/console/memory?q=x&sign-in=refused`);
  });

  it('takes an answer only in the browser that asked, and only once', async () => {
    const ana = createVisitor();
    const isBack = ({ pathname }: URL) => pathname === '/api/v1/signed-in';
    const { url } = await ana.go(leave(), 'GET', isBack);
    const mallory = createVisitor();
    expect((await mallory.go(url)).url).toBe(`${gateway.url}/console?sign-in=lost`);
    expect(await mallory.session(gateway.url)).toMatchObject({ signedIn: false });
    // Her own attempt does not take the answer to Ana's.
    await mallory.go(leave(), 'GET', isBack);
    expect((await mallory.go(url)).url).toContain('sign-in=');
    expect(await mallory.session(gateway.url)).toMatchObject({ signedIn: false });
    expect((await ana.go(url)).url).toBe(`${gateway.url}/`);
    expect((await ana.go(url)).url).toBe(`${gateway.url}/console?sign-in=lost`);
    expect(await ana.session(gateway.url)).toMatchObject({ signedIn: true });
  });

  it.each([
    'https://evil.example/',
    'http://here:1@evil.example/console',
    '//evil.example',
    '/\\evil.example',
    'console/../../../evil',
    'console/%2e%2e/x',
    'javascript:alert(1)',
    'console\r\nset-cookie: x=1',
  ])('does not lead to %j', async (to) => {
    company.admits(false);
    const { url } = await createVisitor().go(leave(to));
    expect(new URL(url).origin).toBe(gateway.url);
    expect(new URL(url).pathname).toMatch(/^\/console/);
  });
});

it('makes a person of whoever came this way, who approves what their own assistant asks for', async () => {
  await using company = await startCompanyLogin();
  await using server = await startScripted('modern', {
    'tools/list': () => ({ tools: [{ name: 'wipe', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ resultType: 'complete', content: [{ type: 'text', text: 'wiped' }] }),
  });
  const { issuer, client } = company;
  await using gateway = await startGateway({
    mcpServers: { strict: { ...server.entry, confirm: 'human' } },
    gateway: { allowInternalUrls: true },
    auth: { mode: 'oauth', oauth: { issuer, console: { ...client, scopes: ['tools:execute', 'admin'] } } },
  });
  const ana = createVisitor();
  await ana.go(`${gateway.url}/api/v1/sign-in`);
  const { csrf } = await ana.session(gateway.url);
  const token = company.tokens.at(-1) ?? '';
  const pasted = await signInWith(gateway.url, { key: token });
  const assistant = { authorization: `Bearer ${token}` };
  const post = (path: string, body: object, headers: Record<string, string>) =>
    fetch(`${gateway.url}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const call = async (more: object = {}) =>
    await (await post('mcp/invoke', { name: 'strict__wipe', arguments: {}, ...more }, assistant)).text();

  const [, confirm] = /"confirm":"([^"]+)"/.exec(await call()) ?? [];
  const { items } = (await (await pasted.ask('/api/v1/waiting')).json()) as { items: { id: string }[] };
  const place = `waiting/confirmations/${items[0]?.id}`;
  expect((await post(place, { approve: true }, assistant)).status).toBe(403);
  expect((await pasted.ask(`/api/v1/${place}`, 'POST', { approve: true })).status).toBe(403);
  expect(await call({ confirm })).toContain('still waits');
  const own = { cookie: ana.cookieFor(gateway.url), 'x-sluice-csrf': String(csrf) };
  expect((await post(place, { approve: true }, own)).status).toBe(200);
  expect(await call({ confirm })).toContain('wiped');
});

it('keeps a session while the authorization server is away', async () => {
  await using company = await startCompanyLogin({ tokenSeconds: 2 });
  const { issuer, client } = company;
  await using gateway = await startGateway({ auth: { mode: 'oauth', oauth: { issuer, console: client } } });
  const ana = createVisitor();
  await ana.go(`${gateway.url}/api/v1/sign-in`);
  expect((await ana.go(`${gateway.url}/api/v1/status`)).status).toBe(200);
  const cookie = ana.cookieFor(gateway.url);
  await company[Symbol.asyncDispose]();
  await expect.poll(async () => (await ana.go(`${gateway.url}/api/v1/status`)).status, { timeout: 5000 }).toBe(503);
  expect((await ana.go(`${gateway.url}/api/v1/session`)).status).toBe(503);
  expect(ana.cookieFor(gateway.url)).toBe(cookie);
});

it('says that the authorization server does not answer', async () => {
  await using company = await startCompanyLogin();
  const { issuer, client } = company;
  await using gateway = await startGateway({ auth: { mode: 'oauth', oauth: { issuer, console: client } } });
  await company[Symbol.asyncDispose]();
  const { url } = await createVisitor().go(`${gateway.url}/api/v1/sign-in`);
  expect(url).toBe(`${gateway.url}/console?sign-in=unavailable`);
});

it('is not offered without a client', async () => {
  await using gateway = await startGateway({ auth: { mode: 'oauth', oauth: { issuer: 'https://id.example.com' } } });
  const { ways } = (await (await fetch(`${gateway.url}/api/v1/session`)).json()) as { ways: object };
  expect(ways).not.toHaveProperty('issuer');
  expect((await fetch(`${gateway.url}/api/v1/sign-in`, { redirect: 'manual' })).status).toBe(404);
});
