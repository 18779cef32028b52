import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsMissing, type ConsolePage, needsBrowser, openBrowser } from '../../support/console.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

const hostile = fileURLToPath(new URL('../../fixtures/hostile-tools.ts', import.meta.url));

describe.skipIf(browserIsMissing)(`the page of the tools, and a hostile server ${needsBrowser}`, () => {
  let directory: string;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let page: ConsolePage;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    gateway = await serve(directory, {
      mcpServers: { demo: { command: process.execPath, args: [hostile, '--count', '5000'] } },
      recipes: false,
    });
    await gateway.ready();
    browser = await openBrowser();
    page = await browser.page(gateway.url);
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  const rows = () => page.view.getByRole('list', { name: 'Tools' }).getByRole('link');
  const raw = () => page.view.getByRole('textbox', { name: 'Arguments as JSON' });
  const args = async () => JSON.parse(await raw().inputValue()) as unknown;
  const answer = () => page.view.getByRole('region', { name: 'Answer' });

  /** Whether a text became a part of the page, or a script ran. */
  async function harm(): Promise<string[]> {
    const title = await page.view.title();
    const images = await page.view.locator('img[src="x"]').count();
    return [
      ...(title === 'Tools – Sluice' ? [] : [`title: ${title}`]),
      ...(images === 0 ? [] : ['an image']),
      ...page.troubles(),
    ];
  }

  async function answered(kind: string, more: object = {}): Promise<void> {
    await page.open('console/tools/demo__answer');
    await raw().fill(JSON.stringify({ kind, ...more }));
    await raw().press('Control+Enter');
    await answer().waitFor();
  }

  it('lists 5,000 tools, of which only some are in the page, and searches them at once', async () => {
    await page.open('console/tools?source=demo');
    await rows().first().waitFor();
    expect(await rows().count()).toBeLessThan(60);
    await page.view.getByRole('searchbox').fill('filler_4711');
    await expect.poll(() => rows().count()).toBe(1);
    await page.view.getByRole('searchbox').fill('');
    await expect.poll(() => rows().count()).toBeGreaterThan(10);
    await page.view.getByRole('list', { name: 'Tools' }).evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await page.view.getByText('demo__touch').waitFor();
    expect(await page.violations()).toEqual([]);
    expect(await harm()).toEqual([]);
  });

  it('opens a tool that is named with 200 emoji', async () => {
    await page.open('console/tools?q=its name is long&source=demo');
    await rows().first().click();
    await page.view.getByRole('button', { name: 'What an assistant sees' }).click();
    await page.view.getByText('😈'.repeat(200)).first().waitFor();
    await page.view.getByRole('button', { name: 'Try it' }).click();
    await page.view.getByLabel('<script>').first().fill('x');
    expect(Object.keys((await args()) as object)[0]).toContain('<script>');
    expect(await page.violations()).toEqual([]);
    expect(await harm()).toEqual([]);
  });

  it('makes a form of each kind of argument, in step with the JSON', async () => {
    await page.open('console/tools/demo__echo');
    const { view } = page;
    await view.getByLabel('text', { exact: false }).first().fill('hello');
    await view.getByLabel('count', { exact: false }).first().fill('2');
    await view.getByLabel('mood', { exact: false }).first().selectOption({ index: 2 });
    await view.getByLabel('loud', { exact: false }).first().selectOption('true');
    await view.getByRole('button', { name: 'Set to null: nothing' }).click();
    await view.getByText('tags', { exact: true }).click();
    await view.getByRole('button', { name: 'Add an item to tags' }).click();
    await view.getByLabel('tags 1').first().fill('first');
    await view.getByText('target', { exact: true }).click();
    await view.getByLabel('Form of target').selectOption({ label: 'Address' });
    await view.getByLabel('url', { exact: false }).last().fill('https://example.com');
    await view.getByText('headers', { exact: true }).click();
    await view.getByLabel('Name of another property').fill('__proto__');
    await view.getByRole('button', { name: 'Add a property' }).click();
    await view.getByLabel('__proto__').first().fill('own');
    await view.getByText('point', { exact: true }).click();
    await view.getByLabel('point 2').first().fill('-1.5');
    await view.getByLabel('anything').first().fill('[1, {"a": null}]');
    expect(await args()).toEqual(
      JSON.parse(
        '{"text":"hello","count":2,"mood":"loud","loud":true,"nothing":null,"tags":["first"],"target":{"kind":"url","url":"https://example.com"},"headers":{"__proto__":"own"},"point":[0,-1.5],"anything":[1,{"a":null}]}',
      ),
    );
    await view.getByRole('button', { name: 'Leave out mood' }).click();
    await view.getByLabel('count', { exact: false }).first().fill('2.');
    await view.getByLabel('count', { exact: false }).first().fill('two');
    await view.getByText('This is not a number.').waitFor();
    expect(await args()).not.toHaveProperty('mood');
    expect(await args()).toMatchObject({ count: 'two' });
    expect(await page.violations()).toEqual([]);
    await raw().fill('{"text": "from JSON", "count": 4, "tags": ["x", "y"]}');
    expect(await view.getByLabel('text', { exact: false }).first().inputValue()).toBe('from JSON');
    expect(await view.getByLabel('tags 2').first().inputValue()).toBe('y');
    expect(await harm()).toEqual([]);
  });

  it.each([
    ['cycles', 'root'],
    ['deep', 'start'],
    ['many', 'city'],
    ['names', 'hasOwnProperty'],
    ['refs', 'which is not in the schema'],
  ])('opens a form for the schema of %s', async (tool, text) => {
    await page.open(`console/tools/demo__${tool}`);
    await page.view.getByText(text).first().waitFor();
    if (tool === 'refs') expect(await page.violations()).toEqual([]);
    expect(await harm()).toEqual([]);
  });

  it('opens what has no end level by level', async () => {
    await page.open('console/tools/demo__cycles');
    const next = () => page.view.getByText('next', { exact: true });
    for (let level = 2; level < 6; level++) {
      await next()
        .nth(level - 1)
        .click();
      await next().nth(level).waitFor();
    }
    await page.view.getByLabel('name', { exact: false }).nth(4).fill('far below');
    expect(JSON.stringify(await args())).toContain('{"next":{"next":{"name":"far below"');
    await page.view.getByText('all', { exact: true }).click();
    await page.view.getByLabel('Form of all').first().selectOption({ index: 1 });
    await page.view.getByText('Deeper').waitFor();
    expect(await harm()).toEqual([]);
  });

  it('makes a form of arguments that have one of several forms', async () => {
    await page.open('console/tools/demo__either');
    await page.view.getByText('names match ^x-').first().waitFor();
    await page.view.getByLabel('note', { exact: false }).first().fill('both have it');
    await page.view.getByLabel('first', { exact: false }).first().fill('one has it');
    await page.view.getByLabel('Form of arguments').selectOption({ label: 'object with second' });
    await page.view.getByLabel('second', { exact: false }).first().fill('2');
    expect(await args()).toEqual({ second: 2, note: 'both have it' });
    await raw().fill('{"first": "one"}');
    expect(await page.view.getByLabel('first', { exact: false }).first().inputValue()).toBe('one');
    expect(await page.violations()).toEqual([]);
    expect(await harm()).toEqual([]);
  });

  it('finds one of 10,000 choices', async () => {
    await page.open('console/tools/demo__many');
    const city = page.view.getByLabel('city').first();
    await city.fill('City 99');
    expect(await page.view.locator('datalist option').count()).toBe(100);
    await page.view.getByText('This is none of the choices.').waitFor({ state: 'detached' });
    await city.fill('Atlantis');
    await page.view.getByText('This is none of the choices.').waitFor();
    await city.fill('City 9999');
    expect(await args()).toEqual({ city: 'City 9999' });
  });

  it('sends properties that every object has as any other', async () => {
    await page.open('console/tools/demo__names');
    await page.view.getByLabel('__proto__').first().fill('p');
    await page.view.getByLabel('constructor').first().fill('c');
    await page.view.getByLabel('toString').first().fill('7');
    await raw().press('Control+Enter');
    await answer().waitFor();
    await answer().getByRole('button', { name: 'JSON', exact: true }).click();
    const text = (await answer().locator('pre').textContent()) ?? '';
    expect(JSON.parse(text)).toEqual(JSON.parse('{"__proto__":"p","constructor":"c","toString":7}'));
    expect(await harm()).toEqual([]);
  });

  it.each([
    ['script', '<script>'],
    ['json', 'deep'],
    ['structured', 'note'],
    ['svg', 'An image that could run something is not shown.'],
    ['html', 'An image that could run something is not shown.'],
    ['audio', 'A sound.'],
    ['resource', 'file:///etc/passwd'],
    ['odd', 'does not know'],
    ['empty', 'The answer is empty'],
    ['error', 'It did not work. Use another kind.'],
  ])('shows an answer of the kind %s', async (kind, text) => {
    await answered(kind);
    await answer().getByText(text).first().waitFor();
    if (['resource', 'odd', 'error'].includes(kind)) expect(await page.violations()).toEqual([]);
    expect(await harm()).toEqual([]);
  });

  it('shows pictures', async () => {
    await answered('image');
    const picture = answer().getByRole('img');
    await picture.waitFor();
    expect(await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(16);
    expect(await harm()).toEqual([]);
  });

  it('links only to the web', async () => {
    await answered('link');
    const links = await answer()
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links.filter((link) => !link.startsWith('console/'))).toEqual(['https://example.com/report']);
    await answer().getByText('javascript:document.title').waitFor();
    expect(await harm()).toEqual([]);
  });

  it('shows lists of objects as a table', async () => {
    await answered('table');
    await answer().getByRole('cell', { name: 'Row 50 ' }).waitFor();
    expect(await answer().getByRole('row').count()).toBe(51);
    await answer().getByRole('button', { name: 'Show more of 120 rows' }).click();
    await answer().getByRole('cell', { name: 'Row 120 ' }).waitFor();
    await answer().getByText('The tree also has next.').waitFor();
    await page.shot('tools-table');
    expect(await harm()).toEqual([]);
  });

  it('shows the beginning of 10 MB, and stays quick', async () => {
    await answered('text', { bytes: 10_000_000 });
    await answer().getByText('The first 20,000 of 10,000,000 characters.').waitFor();
    expect(await answer().locator('header').textContent()).toContain('10 MB');
    await answer().getByRole('button', { name: 'Show more' }).click();
    await answer().getByText('The first 220,000 of 10,000,000 characters.').waitFor();
    const download = page.view.waitForEvent('download');
    await answer().getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('answer.txt');
    const started = Date.now();
    await page.view.getByRole('button', { name: 'Start over' }).click();
    await expect.poll(args).toEqual({});
    expect(Date.now() - started).toBeLessThan(3000);
    expect(await harm()).toEqual([]);
  });

  it('says that recipes are switched off', async () => {
    await answered('script');
    await page.view.getByText('Recipes are switched off here').waitFor();
    expect(await page.view.getByRole('button', { name: 'Save as a recipe' }).count()).toBe(0);
  });

  it('says that the gateway does not answer, and keeps what was typed', async () => {
    const own = await browser.page(gateway.url);
    await own.open('console/tools/demo__touch');
    const typed = own.view.getByRole('textbox', { name: 'Arguments as JSON' });
    await typed.fill('{"id": "kept"}');
    await own.view.route('**/api/v1/mcp/invoke', (route) => route.abort());
    await typed.press('Control+Enter');
    await own.view.getByText('The gateway does not answer.').waitFor();
    expect(await typed.inputValue()).toBe('{"id": "kept"}');
    await own.view.unroute('**/api/v1/mcp/invoke');
    await typed.press('Control+Enter');
    await own.view.getByRole('region', { name: 'Answer' }).waitFor();
    expect(own.troubles()).toEqual([]);
  });

  it('does not offer to call what the key may only see', async () => {
    const own = await browser.page(gateway.url);
    await own.view.route('**/api/v1/session', (route) =>
      route.fulfill({ json: { signedIn: true, open: false, scopes: ['demo:read'], csrf: 'x', sources: ['demo'] } }),
    );
    await own.open('console/tools/demo__touch');
    await own.view.getByText('Your key may not call it').waitFor();
    expect(await own.view.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
    expect(await own.violations()).toEqual([]);
  });

  it('waits for what never answers, until somebody cancels it', async () => {
    await page.open('console/tools/demo__hang');
    await page.view.getByRole('button', { name: 'Run', exact: true }).click();
    await page.view.getByRole('timer').waitFor();
    await page.view.getByRole('button', { name: 'Cancel' }).click();
    await page.view.getByText('You cancelled it.').waitFor();
    expect(await harm()).toEqual([]);
  });
});
