/** A trace from the client to the execution in a real n8n. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createN8nClient } from '../../../src/n8n/client/client.ts';
import { browserIsMissing, openBrowser } from '../../support/console.ts';
import { type FreshN8n, N8N_START_MS, n8nIsMissing, startFreshN8n } from '../../support/n8n.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';
import { hook, line, picky } from '../../support/workflows.ts';

describe.skipIf(n8nIsMissing ?? browserIsMissing)('a trace into n8n (skipped without n8n and Chromium)', () => {
  let directory: string;
  let n8n: FreshN8n;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  const invoke = (args: object) =>
    fetch(`${gateway.url}/api/v1/mcp/tools/run_check_orders/invoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(args),
    });

  async function traceOf(args: object): Promise<string> {
    const response = await invoke(args);
    await response.text();
    return response.headers.get('traceparent')?.split('-')[1] ?? '';
  }

  beforeAll(async () => {
    n8n = await startFreshN8n();
    const { url, apiKey } = n8n;
    const client = createN8nClient('default', { url, apiKey, timeoutMs: 30_000 });
    const { id } = await client.workflows.create({
      name: 'Check orders',
      ...line(hook('orders', { responseMode: 'onReceived' }), picky()),
      settings: { executionOrder: 'v1' },
    });
    await client.workflows.publish(id);
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    gateway = await serve(directory, {
      n8n: { default: { url, apiKey } },
      bridge: { apply: 'auto', workflows: { include: ['Check orders'] } },
    });
    await gateway.ready();
    browser = await openBrowser();
  }, N8N_START_MS);

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await n8n?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it('shows the execution and its nodes with their times', async () => {
    await expect.poll(async () => (await invoke({ order: 1 })).status, { timeout: 60_000, interval: 500 }).toBe(200);
    const trace = await traceOf({ order: 42 });
    const page = await browser.page(gateway.url);
    await page.open(`console/activity/trace/${trace}`);
    const lines = page.view.getByRole('list', { name: 'What happened, in order' }).getByRole('listitem');
    const execution = lines.filter({ hasText: 'n8n execution' });
    await execution.filter({ hasText: 'success' }).waitFor();
    await page.shot('trace-n8n');
    expect(await lines.filter({ hasText: 'run_check_orders' }).count()).toBe(1);
    expect(await execution.textContent()).toMatch(/n8n execution \d+ success.* (?:m?s)$/);
    expect(await execution.getByRole('link').getAttribute('href')).toMatch(new RegExp(`^${n8n.url}/workflow/`));
    expect(await lines.filter({ hasText: 'Check' }).locator('.span').count()).toBeGreaterThan(0);
    expect(await page.violations()).toEqual([]);
    expect(page.troubles()).toEqual([]);
  });

  it('says which node failed', async () => {
    const trace = await traceOf({ fail: 'no stock' });
    const page = await browser.page(gateway.url);
    await page.open(`console/activity/trace/${trace}`);
    const lines = page.view.getByRole('list', { name: 'What happened, in order' }).getByRole('listitem');
    await lines.filter({ hasText: 'refused: no stock' }).waitFor();
    await page.shot('trace-n8n-failed');
    expect(await lines.filter({ hasText: 'n8n execution' }).textContent()).toContain('failed');
    expect(page.troubles()).toEqual([]);
  });
});
