import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bin } from '../../support/command-line.ts';
import { browserIsMissing, needsBrowser, openBrowser } from '../../support/console.ts';
import { serve } from '../../support/serve-process.ts';

describe.skipIf(browserIsMissing)(`the page of activity, interrupted ${needsBrowser}`, () => {
  let own: string;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  const config = { events: { watch: [{ path: 'feed.jsonl', from: 'start' }] } };
  const write = (...all: number[]) =>
    appendFile(
      join(own, 'home', 'feed.jsonl'),
      all.map((n) => `${JSON.stringify({ event: 'kept.event', n })}\n`).join(''),
    );

  beforeAll(async () => {
    own = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await rm(own, { recursive: true, force: true });
  });

  it('continues without a gap when the gateway restarts, and notices another store', async () => {
    const first = await serve(own, config);
    const port = Number(new URL(first.url).port);
    // More than another store begins with.
    await write(-1, ...Array.from({ length: 50 }, () => 0), 1);
    const page = await browser.page(first.url);
    await page.open('console/activity?type=kept.event');
    const shown = (n: number) => page.view.getByRole('listitem').filter({ hasText: new RegExp(`: n ${n}$`) });
    const isLive = () => page.view.getByText('live', { exact: true }).waitFor();
    await shown(1).waitFor();
    await isLive();
    await first.end('SIGTERM');
    await page.view.getByText('not connected').waitFor();
    await page.view.getByText('The list continues without a gap').waitFor();
    await page.shot('lost');
    await write(2);
    const second = await serve(own, config, { port });
    await shown(2).waitFor();
    await isLive();
    await write(3);
    await shown(3).waitFor();
    await page.view.getByText('showing 54').waitFor();

    await second.end('SIGTERM');
    await page.view.getByText('not connected').waitFor();
    await rm(join(own, 'home'), { recursive: true });
    await using third = await serve(own, config, { port });
    await write(4);
    await shown(4).waitFor();
    await page.view.getByText('showing 1').waitFor();
    expect(third.url).toBe(first.url);
    expect(page.troubles()).toEqual([]);
  });

  it('pauses when the stream ends at once, again and again', async () => {
    await using gateway = await serve(await mkdtemp(join(own, 'ended-')), {});
    const page = await browser.page(gateway.url);
    let streams = 0;
    await page.view.route('**/api/v1/events*', (route) => {
      if (route.request().headers().accept !== 'text/event-stream') return route.continue();
      streams++;
      return route.fulfill({ contentType: 'text/event-stream', body: ': connected\n\n' });
    });
    await page.open('console/activity');
    await page.view.getByText('The gateway ended the connection.').waitFor();
    expect(streams).toBeLessThan(5);
    await page.view.unrouteAll();
    await page.view.getByText('live', { exact: true }).waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('calls keys by their names, and asks to sign in when the key is revoked under the open page', async () => {
    await using gateway = await serve(await mkdtemp(join(own, 'revoked-')), { auth: { mode: 'keys' } });
    const keys = async (...args: string[]) => {
      const env = { PATH: process.env.PATH, HOME: gateway.home, SLUICE_HOME: gateway.home };
      const { stdout } = await promisify(execFile)(process.execPath, [bin, 'keys', ...args], {
        cwd: gateway.home,
        env,
      });
      return stdout.trim();
    };
    const key = await keys('create', '--name', 'watcher', '--scopes', 'admin');
    const authorization = `Bearer ${key}`;
    const signedIn = await fetch(`${gateway.url}/api/v1/session`, {
      method: 'POST',
      headers: { authorization },
    });
    const [name = '', value = ''] = signedIn.headers.get('set-cookie')?.split(';')[0]?.split('=') ?? [];
    const page = await browser.page(gateway.url);
    await page.view.context().addCookies([{ name, value, url: gateway.url }]);
    await page.open('console/activity');
    await page.view.getByRole('listitem').filter({ hasText: 'created the key' }).waitFor();
    await page.view.getByText('live', { exact: true }).waitFor();
    await fetch(`${gateway.url}/api/v1/mcp/invoke`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'gateway_status', arguments: {} }),
    });
    await page.view.getByRole('listitem').filter({ hasText: 'watcher called gateway_status: answered' }).waitFor();
    await page.view.getByRole('button', { name: 'Who called what' }).click();
    await page.view
      .getByRole('row')
      .filter({ hasText: 'gateway_status' })
      .getByRole('button', { name: 'watcher' })
      .click();
    expect(new URL(page.view.url()).searchParams.get('principal')).toMatch(/^key:/);
    await page.open('console/activity');
    await page.view.getByText('live', { exact: true }).waitFor();
    await keys('revoke', 'watcher');
    await page.view.getByText(/session has ended/).waitFor();
    expect(await page.view.getByRole('listitem').count()).toBe(0);
    expect(page.troubles()).toEqual([]);
  });
});
