import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reference } from '../../support/command-line.ts';
import { browserIsMissing, needsBrowser, openBrowser } from '../../support/console.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

const HOSTILE = '<script>globalThis.broken = 1</script>\u202e<img src=x onerror="globalThis.broken = 1">';

describe.skipIf(browserIsMissing)(`the page of activity ${needsBrowser}`, () => {
  let directory: string;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  const feed = () => join(directory, 'home', 'feed.jsonl');
  const append = (...lines: object[]) => appendFile(feed(), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

  async function call(name: string, args: object, headers: Record<string, string> = {}): Promise<string> {
    const response = await fetch(`${gateway.url}/api/v1/mcp/invoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name, arguments: args }),
    });
    await response.text();
    return response.headers.get('traceparent')?.split('-')[1] ?? '';
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    gateway = await serve(directory, {
      mcpServers: { ref: reference },
      events: { watch: [{ path: 'feed.jsonl', from: 'start' }] },
    });
    await writeFile(feed(), '');
    await gateway.ready();
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it('shows what happens at once, in words, and all of an event', async () => {
    await call('ref__echo', { text: 'before' });
    const page = await browser.page(gateway.url);
    await page.open('console/activity');
    const row = page.view.getByRole('listitem').filter({ hasText: 'called ref__echo: answered' });
    await row.waitFor();
    await page.view.getByText('live', { exact: true }).waitFor();
    await call('ref__fail', { kind: 'isError' });
    const failed = page.view.getByRole('listitem').filter({ hasText: 'called ref__fail: failed' });
    await failed.waitFor();
    expect(await failed.textContent()).toContain('failed');
    await page.shot('list');

    await failed.getByRole('button').click();
    const details = page.view.getByRole('dialog', { name: 'Event' });
    await details.getByText('tool.call_failed').waitFor();
    expect(new URL(page.view.url()).searchParams.get('event')).toMatch(/^\d+$/);
    await page.shot('details');
    expect(await page.violations()).toEqual([]);
    await page.view.reload();
    await details.getByText('tool.call_failed').waitFor();
    await page.view.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    expect(page.troubles()).toEqual([]);
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('is accessible (%s, %i wide)', async (colorScheme, width) => {
    const trace = await call('ref__echo', { text: 'a' });
    const page = await browser.page(gateway.url, { colorScheme, width });
    for (const path of ['', '?view=callers', `/trace/${trace}`, '?type=nothing.*&tool=x']) {
      await page.open(`console/activity${path}`);
      await page.view.locator('.rows .row, table, .waterfall li, .empty').first().waitFor();
      await page.shot(`${colorScheme}-${path.replaceAll(/[^a-z]/g, '').slice(0, 12)}`);
      expect(await page.violations()).toEqual([]);
    }
    expect(page.troubles()).toEqual([]);
  });
});
