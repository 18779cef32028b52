import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsMissing, needsBrowser, openBrowser } from '../../support/console.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

const secrets = ['literal-header', 'literal-variable', 'from-environment', 'in-the-address', 'after-a-flag'];

const file = {
  logLevel: 'info',
  mcpServers: {
    remote: {
      url: 'https://user:in-the-address@example.invalid/mcp',
      enabled: false,
      headers: { 'X-One': 'literal-header', Authorization: 'Bearer ${TOKEN}' },
    },
    local: { command: 'true', args: ['--api-key', 'after-a-flag'], env: { MODE: 'literal-variable' }, enabled: false },
  },
};

describe.skipIf(browserIsMissing)(`the console's page of the configuration ${needsBrowser}`, () => {
  let directory: string;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    gateway = await serve(directory, file, { env: { TOKEN: 'from-environment', SLUICE_HOST: '127.0.0.1' } });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it('shows what is in effect and where it comes from, without a secret', async () => {
    const page = await browser.page(gateway.url, { colorScheme: 'dark' });
    await page.open('console/configuration');
    await page.view.getByRole('heading', { name: 'mcpServers from the file' }).waitFor();
    await page.view.getByRole('heading', { name: /^server from the/ }).waitFor();
    await page.view.getByText('Authorization: Bearer ${TOKEN}').waitFor();
    const answer = await (await fetch(`${gateway.url}/api/v1/configuration`)).text();
    for (const secret of secrets) {
      expect(await page.view.content()).not.toContain(secret);
      expect(answer).not.toContain(secret);
    }
    await page.view.getByRole('searchbox').fill('loglevel');
    await page.view.getByRole('heading', { name: /^mcpServers/ }).waitFor({ state: 'detached' });
    await page.view.getByText('logLevel: info').waitFor();
    expect(new URL(page.view.url()).search).toBe('?q=loglevel');
    expect(await page.violations()).toEqual([]);
    expect(page.troubles()).toEqual([]);
  });

  it('says where the changed file is wrong, until it is right', async () => {
    const page = await browser.page(gateway.url, { width: 360 });
    await page.open('console/configuration');
    await page.view.getByText('ready').first().waitFor();
    await gateway.configure(JSON.stringify({ ...file, mcpServer: {}, logLevel: 'loud' }, null, 2));
    const alert = page.view.getByRole('alert');
    await alert.getByText('mcpServer', { exact: true }).waitFor();
    await alert.getByText('Line 2:').waitFor();
    await page.view.getByText('failing').first().waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot('configuration-problem');
    await gateway.configure({ ...file, logLevel: 'debug' });
    await alert.waitFor({ state: 'detached' });
    await page.view.getByText('logLevel: debug').waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('names what needs a restart', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/configuration');
    await gateway.configure({ ...file, logFormat: 'json' });
    await page.view.getByText('Restart Sluice to apply the changes of logFormat').waitFor();
    await gateway.configure(file);
    await page.view.getByText('Restart Sluice').waitFor({ state: 'detached' });
    expect(page.troubles()).toEqual([]);
  });
});
