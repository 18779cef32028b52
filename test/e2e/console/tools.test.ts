import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsMissing, type ConsolePage, needsBrowser, openBrowser } from '../../support/console.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

const server = (name: string) => fileURLToPath(new URL(`../../fixtures/${name}.ts`, import.meta.url));

describe.skipIf(browserIsMissing)(`the page of the tools ${needsBrowser}`, () => {
  let directory: string;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    gateway = await serve(directory, {
      mcpServers: {
        ref: { command: process.execPath, args: [server('reference-server')], confirm: ['touch'] },
        demo: { command: process.execPath, args: [server('hostile-tools')] },
      },
    });
    await gateway.ready();
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  const rows = ({ view }: ConsolePage) => view.getByRole('list', { name: 'Tools' }).getByRole('link');
  const raw = ({ view }: ConsolePage) => view.getByRole('textbox', { name: 'Arguments as JSON' });
  const answer = ({ view }: ConsolePage) => view.getByRole('region', { name: 'Answer' });

  it('look', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/tools');
    await rows(page).first().waitFor();
    await page.shot('list');
    await page.open('console/tools/demo__echo');
    await raw(page).waitFor();
    await page.shot('echo');
    await page.view.getByLabel('text', { exact: false }).first().fill('hello');
    await page.view.getByRole('button', { name: 'Run', exact: true }).click();
    await answer(page).waitFor();
    await page.shot('answer');
    expect(await page.violations()).toEqual([]);
    expect(page.troubles()).toEqual([]);
  });
});
