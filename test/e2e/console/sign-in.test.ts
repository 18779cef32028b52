import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCompanyLogin } from '../../fixtures/company-login.ts';
import { browserIsMissing, needsBrowser, openBrowser } from '../../support/console.ts';
import { keysOf } from '../../support/keys-of.ts';
import { startPrefixProxy } from '../../support/prefix-proxy.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

const password = 'correct horse battery staple';
const token = 'a token for the tests of the console'.replaceAll(' ', '-');

describe.skipIf(browserIsMissing)(`signing in to the console ${needsBrowser}`, () => {
  let directory: string;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let keys: ReturnType<typeof keysOf>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    const config = { auth: { mode: 'both', oauth: { builtin: { password } } } };
    gateway = await serve(directory, config, { env: { MCP_AUTH_TOKEN: token } });
    keys = keysOf(gateway.url, token);
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  const signInPage = 'This is a Sluice gateway';
  type Shown = Awaited<ReturnType<typeof browser.page>>;
  const enter = async ({ view }: Shown, key: string) => {
    await view.getByLabel('Key or access token').fill(key);
    await view.keyboard.press('Enter');
  };
  const heading = ({ view }: Shown, name: string) => view.getByRole('heading', { name, exact: true }).waitFor();

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('asks for a key, and says where one gets it (%s, %i wide)', async (colorScheme, width) => {
    const page = await browser.page(gateway.url, { colorScheme, width });
    await page.open();
    await heading(page, signInPage);
    await page.view.getByText('sluice keys create --name me --scopes admin').waitFor();
    expect(await page.view.evaluate('document.activeElement.type')).toBe('password');
    expect(await page.violations()).toEqual([]);
    await page.shot(`sign-in-${colorScheme}`);
    expect(page.troubles()).toEqual([]);
  });

  it('says what is wrong with a key, and takes the right one', async () => {
    const { key } = await keys.make({ name: 'right', scopes: ['admin'] });
    const page = await browser.page(gateway.url);
    await page.open('console/keys');
    await enter(page, `slc_0123456789_${'a'.repeat(43)}`);
    await page.view.getByText('This does not open the gateway: unknown key.').waitFor();
    await enter(page, 'schlüssel mit leerzeichen');
    await page.view.getByText('A key has no spaces and no special characters.').waitFor();
    await enter(page, `  ${key}\n`);
    await heading(page, 'Keys and clients');
    expect(new URL(page.view.url()).pathname).toBe('/console/keys');
    await page.view.reload();
    await heading(page, 'Keys and clients');
    // The key is nowhere where a script could read it.
    const seen = await page.view.evaluate(
      '[document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage), location.href].join()',
    );
    expect(seen).not.toContain(key.slice(15, 30));
    expect(seen).not.toContain('sluice_');
    expect(page.troubles()).toEqual([]);
  });

  it("takes the owner's password, and says that one is signed out", async () => {
    const page = await browser.page(gateway.url);
    await page.open();
    await page.view.getByText("Use the owner's password instead").click();
    const field = page.view.getByLabel("The owner's password", { exact: true });
    await field.fill('wrong');
    await page.view.keyboard.press('Enter');
    await page.view.getByText('Wrong password.').waitFor();
    await field.fill(password);
    await page.view.keyboard.press('Enter');
    await heading(page, 'Overview');
    await page.view.getByRole('button', { name: 'Sign out owner' }).click();
    await heading(page, signInPage);
    await page.view.getByText('You are signed out.').waitFor();
    await page.view.reload();
    await heading(page, signInPage);
    expect(page.troubles()).toEqual([]);
  });

  it('says why the session ended under an open page, and comes back to that page', async () => {
    const [first, second] = await Promise.all([
      keys.make({ name: 'first', scopes: ['admin'] }),
      keys.make({ name: 'second', scopes: ['admin'] }),
    ]);
    const page = await browser.page(gateway.url);
    await page.open('console/keys?q=one#there');
    await enter(page, first.key);
    await heading(page, 'Keys and clients');
    await keys.revoke(first.id);
    await heading(page, signInPage);
    await page.view.getByText('Your session has ended (the key was revoked). Sign in again.').waitFor();
    await page.shot('sign-in-ended');
    expect(await page.violations()).toEqual([]);
    await enter(page, second.key);
    await heading(page, 'Keys and clients');
    expect(new URL(page.view.url()).search).toBe('?q=one');
    expect(page.troubles()).toEqual([]);
  });

  it('notices that somebody else signed in in another tab', async () => {
    const [anna, ben] = [
      await keys.make({ name: 'anna', scopes: ['admin'] }),
      await keys.make({ name: 'ben', scopes: ['admin'] }),
    ];
    const page = await browser.page(gateway.url);
    await page.open('console/keys');
    await enter(page, anna.key);
    await heading(page, 'Keys and clients');
    const headers = { authorization: `Bearer ${ben.key}` };
    await page.view.context().request.post(`${gateway.url}/api/v1/session`, { headers });
    const row = page.view.getByRole('row', { name: anna.id });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.view.getByRole('dialog').getByRole('button', { name: 'Revoke it' }).click();
    await page.view.getByText('you have signed in anew in another tab').waitFor();
    await page.view.getByRole('button', { name: 'Sign out ben' }).waitFor();
    await page.view.getByRole('row', { name: ben.id }).getByText('this is you').waitFor();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.view.getByRole('dialog').getByRole('button', { name: 'Revoke it' }).click();
    await page.view.getByText('Revoked anna.').waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('shows only what the key may see', async () => {
    const { key } = await keys.make({ name: 'looker', scopes: ['health:check'] });
    const page = await browser.page(gateway.url);
    await page.open('console/keys');
    await enter(page, key);
    await heading(page, 'You may not see Keys and clients');
    expect(await page.view.getByRole('link', { name: 'Keys and clients' }).count()).toBe(0);
    await page.view.getByRole('link', { name: 'Overview' }).click();
    await heading(page, 'Overview');
    expect(page.troubles()).toEqual([]);
  });

  it('works below a path that only the proxy knows', async () => {
    const { key } = await keys.make({ name: 'proxied', scopes: ['admin'] });
    await using proxy = await startPrefixProxy(gateway.url, '/tools/sluice');
    const page = await browser.page(proxy.url);
    await page.open('console/keys');
    await enter(page, key);
    await heading(page, 'Keys and clients');
    const [cookie] = await page.view.context().cookies();
    expect(cookie).toMatchObject({ path: '/tools/sluice/api/v1', httpOnly: true, sameSite: 'Strict' });
    await page.view.getByRole('button', { name: /^Sign out/ }).click();
    await heading(page, signInPage);
    expect(await page.view.context().cookies()).toEqual([]);
    expect(page.troubles()).toEqual([]);
  });

  it('leads to the authorization server of the company, and back to the same page', async () => {
    const own = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    await using company = await startCompanyLogin();
    const auth = { mode: 'oauth', oauth: { issuer: company.issuer, console: company.client } };
    await using second = await serve(own, { auth });
    // Another host than the company's, so that the browser treats it as another site.
    const url = second.url.replace('127.0.0.1', 'localhost');
    const page = await browser.page(url);
    await page.open('console/usage?by=source');
    await heading(page, signInPage);
    expect(await page.violations()).toEqual([]);
    await page.shot('sign-in-elsewhere');
    await page.view.getByRole('link', { name: `Sign in at ${new URL(company.issuer).host}` }).click();
    await page.view.getByRole('button', { name: 'Sign in as Ana (login)' }).click();
    await page.view.getByRole('button', { name: 'Sign in as Ana (consent)' }).click();
    await heading(page, 'Usage');
    expect(page.view.url()).toBe(`${url}/console/usage?by=source`);
    const cookies = (await page.view.context().cookies()).filter(({ name }) => name.startsWith('sluice_'));
    expect(cookies).toMatchObject([{ path: '/api/v1', httpOnly: true, sameSite: 'Strict' }]);
    await page.view.getByRole('button', { name: /^Sign out/ }).click();
    company.admits(false);
    await page.view.getByRole('link', { name: /^Sign in at/ }).click();
    await page.view.getByText('The authorization server refused the sign-in.').waitFor();
    await rm(own, { recursive: true, force: true });
  });

  it('keeps the sessions of two gateways on one host apart', async () => {
    const other = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    await using second = await serve(other, { auth: { mode: 'keys' } }, { env: { MCP_AUTH_TOKEN: token } });
    const { key } = await keys.make({ name: 'here', scopes: ['admin'] });
    const page = await browser.page(gateway.url);
    await page.open();
    await enter(page, key);
    await heading(page, 'Overview');
    await page.view.goto(`${second.url}/console`);
    await page.view.getByLabel('Key', { exact: true }).fill(token);
    await page.view.keyboard.press('Enter');
    await heading(page, 'Overview');
    await page.view.goto(`${gateway.url}/console`);
    await heading(page, 'Overview');
    expect(await page.view.context().cookies()).toHaveLength(2);
    await rm(other, { recursive: true, force: true });
  });

  it('is not shown inside another page', async () => {
    const page = await browser.page(gateway.url);
    await page.view.setContent(`<iframe id="frame" src="${gateway.url}/console"></iframe>`);
    await expect
      .poll(() => page.view.frame({ url: /chrome-error/ })?.url() ?? '', { timeout: 10_000 })
      .toMatch(/^chrome-error:/);
  });
});
