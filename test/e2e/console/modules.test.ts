import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsMissing, needsBrowser, openBrowser } from '../../support/console.ts';
import { isMissing as missing } from '../../support/daemon.ts';
import { freePort } from '../../support/free-port.ts';
import { behind, ownRedis, type OwnRedis, REDIS } from '../../support/own-redis.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

const isMissing = browserIsMissing || missing(REDIS) !== undefined;

describe.skipIf(isMissing)(`the page Modules ${needsBrowser}, or without redis-server`, () => {
  let directory: string;
  let gateway: ServeProcess;
  let redis: OwnRedis;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    redis = await ownRedis();
    await using prepared = await behind(redis.url);
    await prepared.send('CLIENT', 'SETNAME', 'prepared');
    const nowhere = await freePort();
    const modules = { redis: { url: redis.url }, prometheus: { url: `http://127.0.0.1:${nowhere}` } };
    [gateway, browser] = await Promise.all([serve(directory, { modules }), openBrowser()]);
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await redis?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it('says which services answer, and why one does not', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/modules');
    const working = page.view.getByRole('region', { name: 'redis' });
    await working.getByText(/^Redis \d/).waitFor();
    await working.getByText('reachable', { exact: true }).waitFor();
    const broken = page.view.getByRole('region', { name: 'prometheus' });
    await broken.getByText('not reachable').waitFor();
    await broken.getByText(/nothing listens there/).waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot('modules');
    expect(await working.getByRole('link', { name: /tools$/ }).getAttribute('href')).toBe('console/tools?source=redis');
    expect(page.troubles()).toEqual([]);
  });

  it.each([
    ['dark', 360],
    ['light', 1600],
  ] as const)(
    'tries one with a call that only reads, and shows what others need (%s, %i wide)',
    async (colorScheme, width) => {
      const page = await browser.page(gateway.url, { colorScheme, width });
      await page.open('console/modules');
      const working = page.view.getByRole('region', { name: 'redis' });
      await working.getByRole('button', { name: 'Try a read' }).click();
      await working.getByText(/^It answered in/).waitFor();
      const form = working.getByRole('link', { name: 'Fill in its form' });
      expect(await form.getAttribute('href')).toBe('console/tools/redis_get_server_info');
      await page.view.getByText('vault', { exact: true }).click();
      await page.view
        .getByText(/^modules:\s+vault: \{\}/)
        .first()
        .waitFor();
      expect(await page.violations()).toEqual([]);
      await page.shot(`modules-tried-${width}`);
      expect(page.troubles()).toEqual([]);
    },
  );

  it('notices that a service was killed under the page, and that it is back', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/modules');
    const card = page.view.getByRole('region', { name: 'redis' });
    await card.getByText(/^Redis \d/).waitFor();
    await redis.end();
    await card.getByRole('button', { name: 'Try a read' }).click();
    await card.getByText('not reachable').waitFor();
    await card
      .getByText(/redis at 127\.0\.0\.1/)
      .first()
      .waitFor();
    expect(page.troubles()).toEqual([]);
    const { port } = redis;
    redis = await ownRedis([], port);
    await card.getByRole('button', { name: 'Ask again' }).click();
    await card.getByText('reachable', { exact: true }).waitFor();
    expect(page.troubles()).toEqual([]);
  });
});
