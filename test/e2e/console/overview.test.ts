import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsMissing, needsBrowser, openBrowser } from '../../support/console.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

const hostile = fileURLToPath(new URL('../../fixtures/hostile-tools.ts', import.meta.url));

describe.skipIf(browserIsMissing)(`the console's overview ${needsBrowser}`, () => {
  let directory: string;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    gateway = await serve(directory, {
      mcpServers: {
        hostile: { command: process.execPath, args: [hostile] },
        broken: { command: 'sh', args: ['-c', 'echo "<script>document.title=1</script>" >&2; exit 3'] },
      },
      n8n: { default: { url: 'http://127.0.0.1:9', apiKey: 'abcdefgh' } },
    });
    await gateway.ready();
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  async function call(name: string, args: object): Promise<void> {
    await fetch(`${gateway.url}/api/v1/mcp/invoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, arguments: args }),
    });
  }

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('says what is wrong first, with what to do (%s, %i wide)', async (colorScheme, width) => {
    const page = await browser.page(gateway.url, { colorScheme, width });
    await page.open();
    const lines = page.view.locator('.health li');
    await lines.filter({ hasText: 'n8n default' }).first().getByText('Check that it runs').waitFor();
    expect(await lines.first().textContent()).toContain('failing');
    await page.view.getByText('1 of 2 servers is running.').waitFor();
    await page.view.getByText('started', { exact: false }).first().waitFor();
    expect(await page.violations()).toEqual([]);
    expect(page.troubles()).toEqual([]);
    await page.shot(`overview-${colorScheme}`);
  });

  it('leads from a line to its page', async () => {
    const page = await browser.page(gateway.url);
    await page.open();
    await page.view.getByRole('link', { name: 'broken' }).click();
    await page.view.waitForURL('**/console/servers/broken');
    await page.view.goBack();
    await page.view.getByRole('link', { name: 'configuration', exact: true }).click();
    await page.view.getByRole('heading', { name: 'Configuration' }).waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('counts the calls and errors of the last hour, and follows them', async () => {
    const page = await browser.page(gateway.url);
    await page.open();
    await page.view.getByText('Calls in the last hour').waitFor();
    await call('hostile__answer', { kind: 'text', bytes: 10 });
    await call('hostile__answer', { kind: 'error' });
    await call('hostile__nowhere', {});
    const figure = (name: string) => page.view.locator('.figure', { hasText: name });
    await figure('Calls in').getByText('3', { exact: true }).waitFor();
    await figure('Errors in').getByText('2', { exact: true }).waitFor();
    await page.view.getByRole('img', { name: '3 calls in the last hour, by minute' }).waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('says how to begin while nothing is connected', async () => {
    const own = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    await using empty = await serve(own, {});
    const page = await browser.page(empty.url);
    await page.open();
    await page.view.getByText(`claude mcp add --transport http sluice ${empty.url}/mcp`).waitFor();
    await page.view.getByText('everything works').waitFor();
    await page.view.getByText('No MCP server is configured.').waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot('overview-empty');
    await rm(own, { recursive: true, force: true });
  });
});
