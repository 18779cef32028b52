/** The page Bridge on a real n8n: plan, apply, what it serves, taking it back. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createN8nClient, type N8nClient } from '../../../src/n8n/client/client.ts';
import { openBreakingProxy, type BreakingProxy } from '../../support/breaking-proxy.ts';
import { withoutCatalogue } from '../../support/catalogue.ts';
import { browserIsMissing, type ConsolePage, needsBrowser, openBrowser } from '../../support/console.ts';
import { keysOf } from '../../support/keys-of.ts';
import { N8N_START_MS, n8nIsMissing, startN8n } from '../../support/n8n.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';
import { agentWith, calculator, tool } from '../../support/tool-bench.ts';
import { hook, line, set } from '../../support/workflows.ts';

const prefix = `b${crypto.randomUUID().slice(0, 5)}`;
const HOSTILE = `<img src=x onerror="document.title='owned'">`;
const ADMIN = 'an-admin-token-of-the-bridge-page';

describe.skipIf(browserIsMissing || n8nIsMissing)(`the console's page Bridge ${needsBrowser}`, () => {
  const held = new AsyncDisposableStack();
  let n8n: N8nClient;
  let proxy: BreakingProxy;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    const { url, apiKey } = await startN8n();
    n8n = createN8nClient('default', { url, apiKey, timeoutMs: 60_000 });
    const make = async (name: string, content: ReturnType<typeof agentWith>) => {
      const { id } = await n8n.workflows.create({ name: `${prefix} ${name}`, ...content, settings: {} });
      held.defer(() => n8n.workflows.delete(id));
      return id;
    };
    const odd = tool('Needs a run', 'toolWorkflow', 2, { workflowId: '={{ $json.id }}' });
    await make(`agent ${HOSTILE}`, agentWith([calculator(), odd]));
    const report = await make('report', line(hook(`${prefix}-report`), set('Out', '({ done: true })')));
    await n8n.workflows.publish(report);
    proxy = held.use(await openBreakingProxy(url));
    const directory = await mkdtemp(join(tmpdir(), 'sluice-console-bridge-'));
    held.defer(() => rm(directory, { recursive: true, force: true }));
    const config = {
      auth: { mode: 'keys' },
      nodes: withoutCatalogue,
      n8n: { default: { url: proxy.url, apiKey } },
      bridge: { workflows: { tag: '', availableInMCP: false }, tools: { workflows: [`${prefix} agent*`] } },
    };
    gateway = held.use(await serve(directory, config, { env: { MCP_AUTH_TOKEN: ADMIN } }));
    await gateway.ready();
    browser = held.use(await openBrowser());
  }, N8N_START_MS);

  afterAll(() => held.disposeAsync(), 60_000);

  async function signedIn(key: string, look: Parameters<typeof browser.page>[1] = {}): Promise<ConsolePage> {
    const page = await browser.page(gateway.url, look);
    await page.open('console/bridge');
    await page.view.getByLabel('Key', { exact: true }).fill(key);
    await page.view.keyboard.press('Enter');
    await page.view.getByRole('heading', { level: 1, name: 'Bridge' }).waitFor();
    return page;
  }

  const wrongIn = async (page: ConsolePage): Promise<string[]> => [
    ...((await page.view.title()).includes('owned') ? ['a script of a text ran'] : []),
    ...(await page.violations()),
    ...page.troubles(),
  ];
  const plan = (page: ConsolePage) => page.view.getByRole('region', { name: 'Plan' });
  const listed = async (name: string) => {
    const headers = { authorization: `Bearer ${ADMIN}` };
    return (await fetch(`${gateway.url}/api/v1/mcp/tools/${name}`, { headers })).status === 200;
  };

  it('says what applying would write to n8n, and offers nothing to a key that may not', async () => {
    const { key } = await keysOf(gateway.url, ADMIN).make({ name: 'reader', scopes: ['bridge:read'] });
    const page = await signedIn(key, { colorScheme: 'dark', width: 360 });
    await plan(page).getByText(HOSTILE).waitFor();
    await plan(page).getByText('Sluice writes to n8n').waitFor();
    await plan(page).getByText('is left out').waitFor();
    await page.view.getByText('could run as').first().waitFor();
    expect(await page.view.getByRole('button', { name: /Apply|Choose|Remove|Take it back/ }).count()).toBe(0);
    expect(await wrongIn(page)).toEqual([]);
    await page.shot('bridge-reader-dark');
  });

  it('applies the plan, serves tools, chooses a workflow, and takes everything back', async () => {
    const page = await signedIn(ADMIN);
    const { view } = page;
    await plan(page).getByRole('button', { name: 'Apply …' }).click();
    const dialog = view.getByRole('dialog');
    await dialog.getByText('Your own workflows are not changed').waitFor();
    expect(await wrongIn(page)).toEqual([]);
    await page.shot('bridge-plan');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await view.getByText('Applied. Listed now: 1 tool.').waitFor({ timeout: 60_000 });
    await plan(page).getByText('Everything is in sync').waitFor();
    const served = view.locator('article.card').filter({ hasText: HOSTILE });
    const name = await served.getByRole('link', { name: /__Calculator$/ }).textContent();
    expect(await listed(name ?? '')).toBe(true);

    const candidate = view.getByRole('listitem').filter({ hasText: `${prefix} report` });
    await candidate.getByRole('button', { name: 'Choose …' }).click();
    await dialog.getByText(/runs as run_/).waitFor();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    const chosen = view.locator('article.card').filter({ hasText: `${prefix} report` });
    await chosen.getByText('Chosen by hand').waitFor();
    expect(await listed((await chosen.getByRole('link', { name: /^run_/ }).textContent()) ?? '')).toBe(true);
    expect(await wrongIn(page)).toEqual([]);
    await page.shot('bridge-applied');

    await chosen.getByRole('button', { name: 'Take it back …' }).click();
    await dialog.getByRole('button', { name: 'Take it back' }).click();
    await chosen.waitFor({ state: 'detached' });
    await view.getByRole('button', { name: 'Remove everything …' }).click();
    await dialog.getByText('It deletes').waitFor();
    await dialog.getByRole('button', { name: 'Remove it' }).click();
    await view.getByText(/Removed \d+ generated workflow/).waitFor({ timeout: 30_000 });
    await plan(page).getByRole('button', { name: 'Apply …' }).waitFor();
    expect(await listed(name ?? '')).toBe(false);
    expect(page.troubles()).toEqual([]);
  }, 120_000);

  it('says that n8n is gone, and goes on when it is back', async () => {
    const page = await signedIn(ADMIN);
    await plan(page).getByRole('button', { name: 'Apply …' }).waitFor();
    proxy.spoil(1, 'gone');
    await fetch(proxy.url, { method: 'POST' }).catch(() => {});
    await page.view.reload();
    await page.view.getByRole('alert').first().waitFor({ timeout: 30_000 });
    expect(await page.view.getByRole('alert').first().textContent()).toMatch(/n8n/);
    expect(await wrongIn(page)).toEqual([]);
    await page.shot('bridge-away');
    proxy.heal();
    await vi.waitFor(
      async () => {
        const again = page.view.getByRole('button', { name: 'Try again' }).first();
        if (await again.isVisible()) await again.click();
        await plan(page).getByRole('button', { name: 'Apply …' }).waitFor({ timeout: 2000 });
      },
      { timeout: 60_000, interval: 500 },
    );
  }, 120_000);
});
