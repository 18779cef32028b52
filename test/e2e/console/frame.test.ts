import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsMissing, needsBrowser, openBrowser } from '../../support/console.ts';
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
});
