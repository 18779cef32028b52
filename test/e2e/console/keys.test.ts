import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approve, createBrowser } from '../../support/browser.ts';
import { browserIsMissing, needsBrowser, openBrowser } from '../../support/console.ts';
import { keysOf } from '../../support/keys-of.ts';
import { authorizeUrl, pkce, register, token as tokenFrom } from '../../support/oauth-requests.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

const password = 'correct horse battery staple';
const token = 'a token for the tests of the console'.replaceAll(' ', '-');
const hostile = '<img src=x onerror=alert(1)><script>alert(1)</script>';

describe.skipIf(browserIsMissing)(`the page of keys and clients ${needsBrowser}`, () => {
  let directory: string;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let keys: ReturnType<typeof keysOf>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    const config = { auth: { mode: 'both', oauth: { builtin: { password } } } };
    gateway = await serve(directory, config, { env: { MCP_AUTH_TOKEN: token } });
    keys = keysOf(gateway.url, token);
    await keys.make({ name: hostile, tools: [hostile, 'ref__*'], readOnly: true, rate: '5/min', expires: '7d' });
    await keys.make({ name: '🙂'.repeat(50), scopes: ['vault:reveal', 'n8n:read'] });
    await letIn(hostile);
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  /** A program signs in through the built-in authorization server. */
  async function letIn(name: string): Promise<void> {
    const callback = 'https://app.example/callback';
    const metadata = { client_name: name, redirect_uris: [callback], token_endpoint_auth_method: 'none' };
    const client = String((await register(gateway.url, metadata)).body.client_id);
    const { verifier, challenge } = pkce();
    const url = authorizeUrl(gateway.url, { client_id: client, redirect_uri: callback, code_challenge: challenge });
    const back = await approve(createBrowser(gateway.url), url, password);
    await tokenFrom(gateway.url, {
      grant_type: 'authorization_code',
      client_id: client,
      redirect_uri: callback,
      code: back.searchParams.get('code') ?? '',
      code_verifier: verifier,
    });
  }

  async function signedIn(key: string, options: { width?: number; colorScheme?: 'dark' | 'light' } = {}) {
    const page = await browser.page(gateway.url, options);
    await page.open('console/keys');
    await page.view.getByLabel('Key or access token').fill(key);
    await page.view.keyboard.press('Enter');
    await page.view.getByRole('heading', { name: 'Keys and clients' }).waitFor();
    return page;
  }

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('lists both, and foreign texts stay texts (%s, %i wide)', async (colorScheme, width) => {
    const page = await signedIn(token, { colorScheme, width });
    const row = page.view
      .getByRole('table', { name: 'Keys', exact: true })
      .getByRole('row')
      .filter({ hasText: hostile });
    await row.getByText('only tools that change nothing').waitFor();
    await page.view.getByRole('table', { name: 'OAuth clients' }).getByText(hostile).waitFor();
    await page.view.getByText('app.example').waitFor();
    await page.view.getByText('What the scopes allow').click();
    await page.view.getByText('May see secrets of Vault in plain text. No other scope includes this').waitFor();
    expect(await page.view.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await page.violations()).toEqual([]);
    await page.shot(`keys-${colorScheme}`);
    expect(page.troubles()).toEqual([]);
  });

  it('makes a key that works, shows it once, and revokes it', async () => {
    const page = await signedIn(token);
    await page.view.getByRole('button', { name: 'Make a key' }).click();
    const dialog = page.view.getByRole('dialog');
    await dialog.getByRole('textbox', { name: /^Name/ }).fill('made here');
    await dialog.getByLabel(/^Read only/).check();
    await dialog.getByText('More limits').click();
    await dialog.getByLabel('Only these tools').fill('gateway_*, get_events');
    await dialog.getByLabel('Rate limit').fill('fast');
    await page.shot('keys-new');
    expect(await page.violations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    await dialog.getByText('rate looks like 100/min, not fast').waitFor();
    await dialog.getByLabel('Rate limit').fill('100/min');
    await dialog.getByRole('button', { name: 'Make the key' }).click();

    const shown = page.view.getByRole('dialog', { name: 'Copy this key now' });
    const key = ((await shown.getByLabel('The key', { exact: true }).textContent()) ?? '').trim();
    expect(key).toMatch(/^slc_[\da-f]{10}_[\w-]{43}$/);
    expect(await shown.getByLabel('Claude Code').textContent()).toContain(
      `claude mcp add --transport http sluice ${gateway.url}/mcp --header 'Authorization: Bearer ${key}'`,
    );
    await page.shot('keys-made');
    expect(await page.violations()).toEqual([]);
    await shown.getByRole('button', { name: 'I have copied it' }).click();
    expect(await page.view.content()).not.toContain(key.slice(15));

    const asked = () =>
      fetch(`${gateway.url}/api/v1/mcp/tools`, { headers: { authorization: `Bearer ${key}` } }).then(
        ({ status }) => status,
      );
    expect(await asked()).toBe(200);
    const row = page.view
      .getByRole('table', { name: 'Keys', exact: true })
      .getByRole('row')
      .filter({ hasText: 'made here' });
    await row.getByText('only gateway_*, get_events; only tools that change nothing; at most 100/min').waitFor();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.view.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await asked()).toBe(200);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.view.getByRole('dialog').getByRole('button', { name: 'Revoke it' }).click();
    await page.view.getByText('Revoked made here.').waitFor();
    expect(await asked()).toBe(401);
    await page.view.getByText('Revoked and expired keys').click();
    await page.view.getByRole('table', { name: 'Revoked and expired keys' }).getByText('made here').waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('makes a key with scopes chosen one by one', async () => {
    const page = await signedIn(token);
    await page.view.getByRole('button', { name: 'Make a key' }).click();
    const dialog = page.view.getByRole('dialog');
    await dialog.getByRole('textbox', { name: /^Name/ }).fill('chosen');
    await dialog.getByLabel(/^Choose scopes/).check();
    await dialog.getByLabel(/^docker:exec/).check();
    await dialog.getByLabel('Scopes of single sources').fill('n8n:read, github:execute');
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    await page.view.getByRole('button', { name: 'I have copied it' }).click();
    const row = page.view
      .getByRole('table', { name: 'Keys', exact: true })
      .getByRole('row')
      .filter({ hasText: 'chosen' });
    for (const scope of ['tools:read', 'docker:exec', 'n8n:read', 'github:execute'])
      await row.getByText(scope, { exact: true }).waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('says first that revoking the own key signs out', async () => {
    const { key } = await keys.make({ name: 'mine', scopes: ['admin'] });
    const page = await signedIn(key);
    const row = page.view.getByRole('row').filter({ hasText: 'this is you' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.view.getByText('You are signed in with this key: you will be signed out.').waitFor();
    await page.view.getByRole('button', { name: 'Revoke it and sign me out' }).click();
    await page.view.getByText('You revoked the key that you were signed in with.').waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('does not let a limited admin make a broader key', async () => {
    const { key } = await keys.make({ name: 'limited admin', scopes: ['admin'], tools: ['ref__*'] });
    const page = await signedIn(key);
    await page.view.getByRole('button', { name: 'Make a key' }).click();
    await page.view.getByRole('textbox', { name: /^Name/ }).fill('broader');
    await page.view.getByRole('button', { name: 'Make the key' }).click();
    await page.view.getByText('Your key is limited to ref__*.').waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('revokes what a program was granted', async () => {
    await letIn('Leaving');
    const page = await signedIn(token);
    const row = page.view.getByRole('table', { name: 'OAuth clients' }).getByRole('row').filter({ hasText: 'Leaving' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.view.getByRole('dialog').getByRole('button', { name: 'Revoke it' }).click();
    await row.waitFor({ state: 'detached' });
    expect(page.troubles()).toEqual([]);
  });

  it('says that authentication is off, and how to turn it on', async () => {
    const own = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    await using open = await serve(own, {});
    const page = await browser.page(open.url);
    await page.open('console/keys');
    await page.view.getByText('Authentication is off').waitFor();
    await page.view.getByText('No key works yet').waitFor();
    await page.view.getByText('The built-in authorization server is off.').waitFor();
    await page.shot('keys-open');
    expect(await page.violations()).toEqual([]);
    expect(page.troubles()).toEqual([]);
    await rm(own, { recursive: true, force: true });
  });
});
