import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsMissing, needsBrowser, openBrowser } from '../../support/console.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

const plugServer = fileURLToPath(new URL('../../fixtures/plug-server.ts', import.meta.url));
const SCRIPT = '<script>document.title = "owned"</script>';

describe.skipIf(browserIsMissing)(`the page Usage ${needsBrowser}`, () => {
  let directory: string;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  const call = async (name: string) =>
    fetch(`${gateway.url}/api/v1/mcp/invoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, arguments: {} }),
    });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-usage-'));
    const file = join(directory, 'state.json');
    await writeFile(file, JSON.stringify({ descriptions: { busy: 'One', [SCRIPT]: 'Two', fails: 'Three' } }));
    gateway = await serve(directory, { mcpServers: { plug: { command: process.execPath, args: [plugServer, file] } } });
    await gateway.ready();
    browser = await openBrowser();
  }, 40_000);

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it('says what to do as long as nobody has called anything', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/usage?by=key&since=1h');
    await page.view.getByRole('heading', { name: 'Usage' }).waitFor();
    await page.view.getByText('No calls in this time').waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('ranks tools, servers and keys (%s, %i wide)', async (colorScheme, width) => {
    for (const name of ['busy', 'busy', 'busy', 'fails']) await call(`plug__${name}`);
    await call('plug__nothing');
    const page = await browser.page(gateway.url, { colorScheme, width });
    await page.open('console/usage');
    const rows = page.view.getByRole('table', { name: 'Usage' }).locator('tbody tr');
    await rows.getByRole('link', { name: 'plug__busy', exact: true }).waitFor();
    expect(await rows.getByRole('link', { name: 'plug__busy', exact: true }).getAttribute('href')).toBe(
      'console/tools/plug__busy',
    );
    expect(await rows.getByRole('link', { name: 'Its calls: plug__busy' }).getAttribute('href')).toBe(
      'console/activity?tool=plug__busy&since=24h',
    );
    await rows.getByText('what does not exist').waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot(`usage-${colorScheme}`);
    await page.view.getByRole('searchbox').fill('fails');
    await expect.poll(() => rows.count()).toBe(1);
    await page.view.getByRole('searchbox').fill('');
    await page.view.getByRole('button', { name: 'By server' }).click();
    await rows.getByText('plug', { exact: true }).waitFor();
    await page.view.getByRole('button', { name: 'By key' }).click();
    await rows.getByText('local', { exact: true }).waitFor();
    await page.view.getByLabel('Period').selectOption('7d');
    await expect.poll(() => new URL(page.view.url()).search).toBe('?by=key&since=7d');
    expect(page.troubles()).toEqual([]);
  });

  it('is sorted by its headings, which the URL remembers', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/usage');
    const table = page.view.getByRole('table', { name: 'Usage' });
    await table.waitFor();
    await table.getByRole('button', { name: 'Failed' }).click();
    await table.locator('th[aria-sort=descending]').getByText('Failed').waitFor();
    await table.getByRole('button', { name: 'Failed' }).click();
    await table.locator('th[aria-sort=ascending]').getByText('Failed').waitFor();
    expect(new URL(page.view.url()).search).toBe('?sort=failed&order=up');
    await page.view.reload();
    await table.locator('th[aria-sort=ascending]').getByText('Failed').waitFor();
    expect(await page.view.title()).toContain('Usage – Sluice');
    expect(page.troubles()).toEqual([]);
  });
});
