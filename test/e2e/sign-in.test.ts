import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { createPlace } from '../support/command-line.ts';

const CHROMIUM = '/usr/bin/chromium';
const require = createRequire(import.meta.url);

interface Page {
  goto(url: string): Promise<unknown>;
  fill(selector: string, value: string): Promise<void>;
  click(selector: string): Promise<void>;
  uncheck(selector: string): Promise<void>;
  screenshot(options: { path: string; fullPage: boolean }): Promise<unknown>;
  waitForURL(url: RegExp): Promise<void>;
  textContent(selector: string): Promise<string | null>;
  evaluate(expression: string): Promise<unknown>;
}
interface Playwright {
  chromium: {
    launch(options: object): Promise<{
      newContext(options: object): Promise<{ newPage(): Promise<Page> }>;
      close(): Promise<void>;
    }>;
  };
}

/** It comes with @playwright/mcp. */
const playwright = () =>
  createRequire(require.resolve('@playwright/mcp/package.json'))('playwright-core') as Playwright;

/** An application on this computer that waits for the browser to come back. */
async function startApplication() {
  let arrived: (url: URL) => void = () => {};
  const back = new Promise<URL>((resolve) => (arrived = resolve));
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/callback')) arrived(new URL(request.url, 'http://localhost'));
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>You can close this page.</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const kept: {
    client?: unknown;
    tokens?: { access_token: string; scope?: string };
    verifier?: string;
    sentTo?: URL;
    found?: unknown;
  } = {};
  const provider = {
    redirectUrl: redirect,
    clientMetadata: { client_name: 'Desk lamp', redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: typeof kept.tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (kept.sentTo = url),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
    saveDiscoveryState: (found: unknown) => void (kept.found = found),
    discoveryState: () => kept.found,
  };
  return {
    kept,
    back,
    transport: (url: string) => new StreamableHTTPClientTransport(new URL(url), { authProvider: provider as never }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// Other machines may lack the browser; in CI it must be there.
describe.skipIf(!existsSync(CHROMIUM) && process.env.CI !== 'true')(`signing in (skipped without ${CHROMIUM})`, () => {
  test.each(['light', 'dark'] as const)(
    'with the password of the first start, in a real browser without scripts (%s), and being signed out again',
    async (colorScheme) => {
      await using place = await createPlace({ auth: { mode: 'oauth', oauth: { builtin: true } } });
      const serving = place.start(['serve', '--port', '0']);
      let stdout = '';
      serving.child.stdout.on('data', (text: string) => (stdout += text));
      await using _stop = {
        async [Symbol.asyncDispose]() {
          serving.child.kill('SIGTERM');
          await serving.finished;
        },
      };
      await serving.printed('Ready:');
      const password = /shown only now: ([a-z0-9-]{23})/.exec(stdout)?.[1] ?? '';
      const url = /(http:\/\/127\.0\.0\.1:\d+\/mcp)/.exec(stdout)?.[1] ?? '';
      await using application = await startApplication();
      const { kept } = application;
      const first = application.transport(url);
      await expect(new Client({ name: 'lamp', version: '1' }).connect(first)).rejects.toThrow(/unauthorized/i);

      const browser = await playwright().chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
      try {
        const shots = process.env.SLUICE_SCREENSHOTS;
        const context = await browser.newContext({
          javaScriptEnabled: false,
          colorScheme,
          viewport: { width: 480, height: 760 },
        });
        const page = await context.newPage();
        await page.goto(String(kept.sentTo));
        if (shots) await page.screenshot({ path: `${shots}/login-${colorScheme}.png`, fullPage: true });
        await page.fill('#password', 'not-the-password');
        await page.click('button[value=login]');
        expect(await page.textContent('[role=alert]')).toContain('Wrong password');
        await page.fill('#password', password);
        await page.click('button[value=login]');
        expect(await page.textContent('h1')).toBe('Desk lamp wants to use your tools');
        expect(await page.textContent('dl')).toContain('a program on this computer (127.0.0.1:');
        if (shots) await page.screenshot({ path: `${shots}/consent-${colorScheme}.png`, fullPage: true });
        await page.uncheck('input[value="tools:execute"]');
        await page.click('button[value=allow]');
        await page.waitForURL(/\/callback\?/);
      } finally {
        await browser.close();
      }

      await first.finishAuth((await application.back).searchParams);
      expect(kept.tokens?.scope).toBe('tools:read');
      const client = new Client({ name: 'lamp', version: '1' });
      await client.connect(application.transport(url));
      expect((await client.listTools()).tools.length).toBeGreaterThan(0);
      await client.close();

      const reset = await place.run(['owner', 'reset', '--revoke']);
      expect(reset.code).toBe(0);
      expect(reset.stdout.trim()).toMatch(/^[a-z0-9]{5}(-[a-z0-9]{5}){3}$/);
      expect(reset.stdout.trim()).not.toBe(password);
      // The current token is checked again within a minute; a renewal fails at once.
      const renewed = await fetch(new URL('/oauth/token', url), {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: (kept.client as { client_id: string }).client_id,
          refresh_token: (kept.tokens as unknown as { refresh_token: string }).refresh_token,
        }),
      });
      expect(renewed.status).toBe(401);
      expect(await renewed.json()).toMatchObject({ error: 'invalid_client' });
    },
    30_000,
  );
});
