import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsMissing, type ConsolePage, needsBrowser, openBrowser } from '../../support/console.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

const reference = fileURLToPath(new URL('../../fixtures/reference-server.ts', import.meta.url));

describe.skipIf(browserIsMissing)(`the page of the tools ${needsBrowser}`, () => {
  let directory: string;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    const server = { command: process.execPath, args: [reference, '--transport', 'stdio'] };
    gateway = await serve(directory, {
      mcpServers: {
        ref: { ...server, confirm: ['journal'] },
        packed: { ...server, expose: 'compact', confirm: ['echo'], confirmBy: 'human' },
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

  async function waiting(): Promise<unknown[]> {
    const response = await fetch(`${gateway.url}/api/v1/waiting`, { headers: { 'sec-fetch-site': 'same-origin' } });
    return ((await response.json()) as { items: unknown[] }).items;
  }
  const rows = ({ view }: ConsolePage) => view.getByRole('list', { name: 'Tools' }).getByRole('link');
  const search = ({ view }: ConsolePage) => view.getByRole('searchbox');
  const raw = ({ view }: ConsolePage) => view.getByRole('textbox', { name: 'Arguments as JSON' });
  const run = ({ view }: ConsolePage) => view.getByRole('button', { name: 'Run', exact: true });
  const answer = ({ view }: ConsolePage) => view.getByRole('region', { name: 'Answer' });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('is accessible (%s, %i wide)', async (colorScheme, width) => {
    const page = await browser.page(gateway.url, { colorScheme, width });
    await page.open('console/tools');
    await rows(page).first().waitFor();
    await page.view.getByRole('table', { name: 'Sources' }).waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot(`tools-${colorScheme}`);
    await page.open('console/tools/gateway_add_server');
    await page.view.getByRole('button', { name: 'Example 1' }).click();
    expect(await page.violations()).toEqual([]);
    await page.shot(`tool-${colorScheme}`);
    await page.view.getByRole('button', { name: 'What an assistant sees' }).click();
    await page.view.getByText('Adds something', { exact: true }).last().waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot(`tool-about-${colorScheme}`);
    expect(page.troubles()).toEqual([]);
  });

  it('finds tools by name and by plain words, and keeps the filters in the address', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/tools');
    await rows(page).first().waitFor();
    await page.view.keyboard.press('/');
    await page.view.keyboard.type('packed__ec');
    await page.view.getByText('1 of', { exact: false }).first().waitFor();
    expect(await rows(page).first().textContent()).toContain('packed__echo');
    await search(page).fill('I want to accept a tool that changed');
    await page.view.getByText('Those that fit your wish best come first.').waitFor();
    expect(await rows(page).first().textContent()).toContain('gateway_accept_tools');
    await search(page).fill('');
    await page.view.getByRole('combobox', { name: 'Source' }).selectOption('packed');
    await page.view.getByLabel('Exposure').selectOption('flat');
    await page.view.getByRole('heading', { name: 'Nothing fits' }).waitFor();
    await page.view.getByLabel('Exposure').selectOption('compact');
    // The search field waits for the next key first.
    await page.view.waitForURL((url) => !url.searchParams.has('q'));
    await page.view.reload();
    await rows(page).first().waitFor();
    expect(new URL(page.view.url()).search).toBe('?source=packed&exposure=compact');
    for (const text of await rows(page).allTextContents()) expect(text).toContain('packed__');
    expect(page.troubles()).toEqual([]);
  });

  it('is used with the keyboard alone', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/tools?source=ref');
    await rows(page).first().waitFor();
    await page.view.keyboard.press('/');
    await page.view.keyboard.press('ArrowDown');
    await page.view.keyboard.press('ArrowDown');
    await page.view.keyboard.press('ArrowUp');
    await page.view.keyboard.press('ArrowUp');
    await page.view.keyboard.type('ref__echo');
    await page.view.getByText('1 of', { exact: false }).first().waitFor();
    await page.view.keyboard.press('Enter');
    await page.view.getByRole('heading', { name: 'ref__echo' }).waitFor();
    await page.view.getByLabel('text').first().focus();
    await page.view.keyboard.type('hello');
    await page.view.keyboard.press('Control+Enter');
    await answer(page).getByText('hello', { exact: true }).waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('calls a tool, says how long it took, and leads to what happened', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/tools/ref__echo');
    await page.view.getByLabel('text').first().fill("it's <b>bold</b>");
    expect(JSON.parse(await raw(page).inputValue())).toEqual({ text: "it's <b>bold</b>" });
    await run(page).click();
    await answer(page).getByText("it's <b>bold</b>", { exact: true }).waitFor();
    expect(await answer(page).locator('header').textContent()).toMatch(/done.*ms · \d+ B/);
    const trace = await answer(page).getByRole('link', { name: 'What happened' }).getAttribute('href');
    expect(trace).toMatch(/^console\/activity\/trace\/[0-9a-f]{32}$/);
    // What the arguments refuse, the server refuses: in its own words.
    await raw(page).fill('{}');
    await run(page).click();
    await answer(page).getByText('The tool reports a failure').waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('keeps JSON that is not finished, and says where it breaks', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/tools/ref__echo');
    await raw(page).fill('{"text": "kept"}');
    expect(await page.view.getByLabel('text').first().inputValue()).toBe('kept');
    await raw(page).fill('{"text": "kept"\n "more": }');
    await page.view.getByText('Line 2, column 2: "," or "}" is expected here.').waitFor();
    expect(await run(page).isDisabled()).toBe(true);
    expect(await page.view.getByLabel('text').first().inputValue()).toBe('kept');
    expect(await raw(page).inputValue()).toContain('"more": }');
    await page.view.getByRole('button', { name: 'Start over' }).click();
    expect(await raw(page).inputValue()).toBe('{}');
  });

  it('asks for a confirmation if the gateway does', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/tools/ref__journal');
    await page.view.getByText('Asks before it runs').first().waitFor();
    await run(page).click();
    const dialog = page.view.getByRole('dialog', { name: 'Call ref__journal?' });
    await dialog.getByText('ref__journal needs confirmation').waitFor();
    expect(await waiting()).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.view.getByText('You did not confirm it. Nothing was done.').waitFor();
    // What nobody wants does not wait any longer.
    await expect.poll(waiting).toEqual([]);
    await run(page).click();
    await dialog.getByRole('button', { name: 'Yes, call it' }).click();
    await answer(page).waitFor();
    expect(await answer(page).locator('header').textContent()).toContain('done');
    expect(page.troubles()).toEqual([]);
  });

  it('says that a person has to approve it', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/tools/packed__echo');
    await page.view.getByText('A person has to approve it').waitFor();
    await page.view.getByLabel('text').first().fill('x');
    await run(page).click();
    await page.view.getByText('by a person').first().waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('cancels a call', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/tools/ref__slow');
    await raw(page).fill('{"ms": 60000, "tag": "console"}');
    await run(page).click();
    await page.view.getByRole('timer').waitFor();
    await page.view.getByRole('button', { name: 'Cancel' }).click();
    await page.view.getByText('You cancelled it.').waitFor();
    expect(await run(page).isEnabled()).toBe(true);
    await expect
      .poll(async () => {
        const answered = await fetch(`${gateway.url}/api/v1/mcp/tools/packed__journal/invoke`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        });
        return answered.status;
      })
      .toBe(200);
    expect(page.troubles()).toEqual([]);
  });

  it('copies the call for a terminal, a script and an MCP client', async () => {
    const page = await browser.page(gateway.url);
    await page.view.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.open('console/tools/ref__echo');
    await raw(page).fill(`{"text": "it's $HOME"}`);
    const copied = async (name: string) => {
      await page.view.getByRole('button', { name, exact: true }).click();
      return page.view.evaluate<string>('navigator.clipboard.readText()');
    };
    expect(await copied('sluice call')).toBe(`sluice call ref__echo '{"text":"it'\\''s $HOME"}'`);
    const curl = await copied('curl');
    expect(curl).toContain(`${gateway.url}/api/v1/mcp/invoke`);
    expect(curl).toContain('Bearer $SLUICE_KEY');
    expect(JSON.parse(await copied('MCP message'))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'ref__echo', arguments: { text: "it's $HOME" } },
    });
  });

  it('saves the last calls as a recipe', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/tools/ref__echo');
    await page.view.getByLabel('text').first().fill('acme is onboarded');
    await run(page).click();
    await answer(page).waitFor();
    await page.view.getByRole('button', { name: 'Save as a recipe' }).click();
    const dialog = page.view.getByRole('dialog', { name: 'Save as a recipe' });
    const last = dialog.getByRole('checkbox').first();
    await last.waitFor();
    expect(await last.isChecked()).toBe(true);
    expect(await page.violations()).toEqual([]);
    await page.shot('tool-recipe');
    await dialog.getByRole('textbox', { name: 'Name Lower' }).fill('onboard');
    await dialog.getByRole('textbox', { name: 'Ask for' }).fill('text');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const saved = page.view.getByRole('dialog', { name: 'The recipe is saved' });
    await saved.getByText('tool: ref__echo').waitFor();
    expect(await saved.textContent()).toContain('${inputs.text}');
    await saved.getByRole('link', { name: 'onboard' }).click();
    await page.view.getByRole('heading', { name: 'Blueprints' }).waitFor();
    // The name is taken now, and the gateway says so.
    await page.open('console/tools/ref__echo');
    await page.view.getByLabel('text').first().fill('again');
    await run(page).click();
    await page.view.getByRole('button', { name: 'Save as a recipe' }).click();
    await dialog.getByRole('textbox', { name: 'Name Lower' }).fill('onboard');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('There is a recipe onboard already').waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('says when there is no such tool', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/tools/ref__ecoh');
    await page.view.getByText('Did you mean ref__echo').waitFor();
    expect(page.troubles()).toEqual([]);
  });
});
