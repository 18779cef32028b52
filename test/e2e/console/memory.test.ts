import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsMissing, needsBrowser, openBrowser } from '../../support/console.ts';
import { toolsOver } from '../../support/invoke.ts';
import { readsAs } from '../../support/reads.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';
import { startGateway } from '../../integration/harness.ts';

const HOSTILE = '<script>alert(1)</script> "><img src=x onerror=alert(2)> \u202eevil';

describe.skipIf(browserIsMissing)(`the page Memory ${needsBrowser}`, () => {
  let directory: string;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let call: ReturnType<typeof toolsOver>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    [gateway, browser] = await Promise.all([serve(directory, {}), openBrowser()]);
    call = toolsOver(gateway.url);
    await call('memory_store', { text: 'The staging database listens on port 5433.', tags: ['staging', 'ports'] });
    await call('memory_store', { text: HOSTILE, namespace: 'hostile', tags: [HOSTILE.slice(0, 50)] });
    await call('memory_store', { text: 'x'.repeat(400_000), namespace: 'hostile' });
    for (let index = 0; index < 3; index++) await call('memory_store', { text: `Ana likes tea of kind ${index}.` });
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it('finds by plain words, which stand in the URL, without recalling anything', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/memory');
    await page.view.getByText('The staging database').waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot('memory-list');
    await page.view.keyboard.press('/');
    await page.view.keyboard.type('which port has the test database');
    await page.view.getByText('the best first').waitFor();
    await page.view.waitForURL(/q=which/);
    await page.view.reload();
    await page.view.getByText('the best first').waitFor();
    await page.shot('memory-search');
    await page.view.getByRole('link', { name: /staging database/ }).click();
    await page.view.getByRole('heading', { name: /staging database/ }).waitFor();
    await page.view.getByText('never', { exact: true }).waitFor();
    expect(await page.violations()).toEqual([]);
    expect(page.troubles()).toEqual([]);
  });

  it('filters, and says what to do when nothing fits', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/memory?namespace=hostile&tags=nothing');
    await page.view.getByText('No memory fits').waitFor();
    await page.view.getByRole('button', { name: /Clear/ }).click();
    await page.view.getByText('The staging database').waitFor();
    expect(new URL(page.view.url()).search).toBe('');
  });

  it('adds, edits, compares versions, shows the past, pins and forgets', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/memory');
    await page.view.getByRole('button', { name: 'Add a memory' }).click();
    await page.view.getByRole('dialog').getByLabel('Text').fill('The production database listens on port 5432.');
    await page.view.getByRole('dialog').getByLabel('Tags').fill('production, ports');
    await page.view.getByRole('button', { name: 'Remember' }).click();
    await page.view.getByRole('heading', { name: /production database/ }).waitFor();
    await page.view.getByRole('button', { name: 'Edit' }).click();
    await page.view.getByRole('dialog').getByLabel('Text').fill('The production database listens on port 6000.');
    await page.view.getByRole('button', { name: 'Save a new version' }).click();
    await page.view.getByRole('heading', { name: '2 versions' }).waitFor();
    await page.view.getByRole('button', { name: 'What changed' }).click();
    await page.view.getByRole('table', { name: 'Text' }).waitFor();
    await page.shot('memory-versions');
    await page.view.getByRole('button', { name: 'Pin' }).click();
    await page.view.getByText('yes, it does not fade').waitFor();
    await page.view.getByRole('link', { name: 'Open' }).click();
    await page.view.getByText('This is an earlier version.').waitFor();
    expect(await page.view.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await page.view.getByRole('link', { name: 'Open the current one' }).click();
    await page.view.getByRole('button', { name: 'Forget …' }).click();
    const asked = page.view.getByRole('dialog', { name: 'Forget this memory?' });
    expect(await asked.textContent()).toContain('with every version');
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await page.view.getByRole('heading', { name: /production database/ }).waitFor();
    await page.view.getByRole('button', { name: 'Forget …' }).click();
    await page.view.getByRole('button', { name: 'Forget all versions for good' }).click();
    await page.view.getByText('the newest first').waitFor();
    expect(await page.view.getByText('production database').count()).toBe(0);
    expect(page.troubles()).toEqual([]);
  });

  it('keeps until when a memory is true, and says since when', async () => {
    const page = await browser.page(gateway.url);
    const { id } = await call<{ id: string }>('memory_store', {
      text: 'The licence is valid.',
      valid_to: '2100-01-02T03:04:05.000Z',
    });
    await page.open(`console/memory/${id}`);
    await page.view.getByRole('button', { name: 'Edit' }).click();
    const sheet = page.view.getByRole('dialog');
    expect(await sheet.getByLabel('True until').inputValue()).toMatch(/^2100-01-0/);
    await sheet.getByLabel('Text').fill('The licence is valid for ten people.');
    await sheet.getByLabel('True since').fill('2024-02-03T04:05');
    // Selecting text may end beside the sheet: nothing that was typed is lost.
    const field = await sheet.getByLabel('Tags').boundingBox();
    await page.view.mouse.move((field?.x ?? 0) + 20, (field?.y ?? 0) + 10);
    await page.view.mouse.down();
    await page.view.mouse.move(5, 5);
    await page.view.mouse.up();
    await page.view.getByRole('button', { name: 'Save a new version' }).click();
    await page.view.getByRole('heading', { name: /ten people/ }).waitFor();
    const saved = await call<{ results: { valid_from: string; valid_to: string }[] }>('memory_search', {
      query: 'licence for ten people',
    });
    expect(saved.results[0]).toMatchObject({
      valid_from: new Date('2024-02-03T04:05').toISOString(),
      valid_to: '2100-01-02T03:04:05.000Z',
    });
    expect(page.troubles()).toEqual([]);
  });

  it('shows what was true at an earlier time', async () => {
    const page = await browser.page(gateway.url);
    const { id } = await call<{ id: string }>('memory_store', {
      text: 'The office is in Bonn.',
      valid_from: '2020-01-01',
    });
    await call('memory_update', { id, text: 'The office is in Berlin.' });
    await page.open('console/memory?as_of=2021-01-01T00:00:00.000Z');
    await page.view.getByText('The office is in Bonn.').waitFor();
    expect(await page.view.getByText('Berlin').count()).toBe(0);
    await page.view.getByRole('button', { name: 'Back to now' }).click();
    await page.view.getByText('The office is in Berlin.').waitFor();
    await page.view.getByRole('slider', { name: 'As of' }).press('Home');
    await page.view.waitForURL(/as_of=/);
    expect(page.troubles()).toEqual([]);
  });

  it.each([
    ['dark', 360],
    ['light', 1600],
  ] as const)('shows hostile and huge texts as text (%s, %i wide)', async (colorScheme, width) => {
    const page = await browser.page(gateway.url, { colorScheme, width });
    await page.open('console/memory?namespace=hostile');
    await page.view.getByText('<script>alert(1)').first().waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot(`memory-hostile-${width}`);
    await page.view.getByRole('link', { name: /^xxx/ }).click();
    await page.view.getByRole('button', { name: /Show all 400,000/ }).click();
    await page.view.getByRole('button', { name: /Show all 400,000/ }).waitFor({ state: 'detached' });
    await page.view.getByRole('link', { name: 'All memories' }).click();
    await page.view.getByRole('button', { name: 'Namespaces' }).click();
    await page.view.getByRole('table', { name: 'Namespaces' }).waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot(`memory-namespaces-${width}`);
    expect(page.troubles()).toEqual([]);
  });

  it('scrolls through as many as there are', async () => {
    const content = Array.from({ length: 350 }, (_, at) => JSON.stringify({ text: `Note ${at} of many` })).join('\n');
    await call('memory_import', { content, format: 'jsonl', namespace: 'many' });
    const page = await browser.page(gateway.url);
    await page.open('console/memory?namespace=many');
    const list = page.view.getByRole('list', { name: 'Memories' });
    await list.getByRole('listitem').first().waitFor();
    for (let end = 100; end <= 350; end += 100) {
      await page.view.getByText(`${end} and more, the newest first.`).waitFor();
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    }
    await page.view.getByText('350, the newest first.').waitFor();
    expect(await list.getByRole('listitem').count()).toBeLessThan(60);
    expect(page.troubles()).toEqual([]);
  });

  it('hides from a reader what only writers may do, and what is not theirs', async () => {
    await using keyed = await startGateway({ auth: { mode: 'keys' } });
    const writer = await readsAs(keyed, 'writer');
    const store = toolsOver(keyed.url, writer.headers);
    await store('memory_store', { text: 'Everybody may know this.' });
    await store('memory_store', { text: 'A secret of the writer.', namespace: 'diary' });
    const { headers } = await readsAs(keyed, 'reader', { scopes: ['memory:read'], readOnly: true });
    const page = await browser.page(keyed.url);
    expect((await page.view.request.post(`${keyed.url}/api/v1/session`, { headers })).status()).toBe(200);
    await page.open('console/memory');
    await page.view.getByRole('link', { name: 'Everybody may know this.' }).click();
    await page.view.getByRole('heading', { name: 'Everybody may know this.' }).waitFor();
    for (const name of ['Edit', 'Pin', 'Forget …'])
      expect(await page.view.getByRole('button', { name, exact: true }).count()).toBe(0);
    await page.open('console/memory');
    await page.view.getByText('1, the newest first.').waitFor();
    await page.open('console/memory?namespace=diary');
    await page.view.getByText('The namespace diary belongs to the key writer.').waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it.each([
    ['is switched off', { memory: false }, 'switched off'],
    [
      'is in a Qdrant that is away',
      { memory: { qdrant: { url: 'http://127.0.0.1:9', timeout: '1s' } } },
      '127.0.0.1:9',
    ],
  ])('says so when memory %s', async (_, config, words) => {
    const own = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    await using gone = await serve(own, config);
    const page = await browser.page(gone.url);
    await page.open('console/memory');
    await page.view.getByText(words).first().waitFor();
    expect(page.troubles()).toEqual([]);
    await rm(own, { recursive: true, force: true });
  });
});
