import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsMissing, needsBrowser, openBrowser } from '../../support/console.ts';
import { startPrefixProxy } from '../../support/prefix-proxy.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

describe.skipIf(browserIsMissing)(`the console's frame ${needsBrowser}`, () => {
  let directory: string;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    gateway = await serve(directory, { mcpServers: { broken: { command: 'false' } } });
    await gateway.ready();
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('opens, is accessible and asks nobody else (%s, %i wide)', async (colorScheme, width) => {
    const page = await browser.page(gateway.url, { colorScheme, width });
    await page.open();
    await page.view.getByText('broken').first().waitFor();
    expect(await page.violations()).toEqual([]);
    expect(page.troubles()).toEqual([]);
    await page.shot(`frame-${colorScheme}`);
  });

  it('is moved through with keys, and says what they are', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/nowhere');
    expect(await page.view.title()).toBe('Not found – Sluice');
    await page.view.keyboard.press('?');
    await page.view.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.view.keyboard.press('Escape');
    await page.view.keyboard.press('g');
    await page.view.keyboard.press('o');
    await page.view.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(page.view.url()).pathname).toBe('/console');
  });

  it('loads a page again whose script did not come', async () => {
    const page = await browser.page(gateway.url);
    await page.open();
    let lost = 0;
    const isScript = /\/console\/.*\.js$/;
    await page.view.route(isScript, (route) => {
      lost++;
      return route.abort();
    });
    const usage = page.view.getByRole('link', { name: 'Usage', exact: true });
    const broken = page.view.getByRole('heading', { name: 'This page could not be loaded' });
    await usage.click();
    await broken.waitFor();
    await page.view.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => lost).toBeGreaterThan(1);
    await broken.waitFor();
    await page.view.unroute(isScript);
    await page.view.getByRole('button', { name: 'Try again' }).click();
    await page.view.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  });

  it('works below a path that only the proxy knows', async () => {
    await using proxy = await startPrefixProxy(gateway.url, '/tools/sluice');
    const page = await browser.page(proxy.url);
    await page.open('console/nowhere/at/all');
    await page.view.getByRole('link', { name: 'Go to the overview' }).click();
    await page.view.getByText('broken').first().waitFor();
    expect(new URL(page.view.url()).pathname).toBe('/tools/sluice/console');
    await page.view.reload();
    await page.view.getByText('broken').first().waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('says that the gateway is gone, and goes on when it is back', async () => {
    const own = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    const first = await serve(own, {});
    const page = await browser.page(first.url);
    await page.open();
    await first.end('SIGTERM');
    await page.view.getByText('The gateway stopped answering').waitFor();
    await using again = await serve(own, {}, { port: Number(new URL(first.url).port) });
    await page.view.getByText('The gateway stopped answering').waitFor({ state: 'detached' });
    expect(again.url).toBe(first.url);
    expect(page.troubles()).toEqual([]);
    await rm(own, { recursive: true, force: true });
  });

  it('loads at most 60 kB', async () => {
    const page = await browser.page(gateway.url);
    const sizes: Promise<number>[] = [];
    page.view.on('response', (response) => {
      if (!response.url().includes('/api/'))
        sizes.push(
          response
            .request()
            .sizes()
            .then((one) => one.responseBodySize),
        );
    });
    await page.open();
    await page.view.getByText('broken').first().waitFor();
    const bytes = (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(60_000);
  });
});
